// Steps through the animated board: takes the SVG apart and shows each shape at its steps.
(async () => {
  const find = (selector) => document.querySelector(selector);
  const board = find('[data-replay]');
  if (!board) return;
  const where = board.querySelector('.where'), live = matchMedia('(prefers-reduced-motion: no-preference)');
  const buttons = new Map([...board.querySelectorAll('button')].map((button) => [button.dataset.go, button]));
  const read = (path, parse = (response) => response.text()) => fetch(path).then((response) => response.ok ? parse(response) : null).catch(() => null);
  const stage = find('.stage'), picture = () => stage.querySelector(':scope > svg');
  let first, steps, list, links, chart, values, start, starts, positions = [], boxes = {};
  let step = NaN, changes = [], timer = null, speed = 1, turned = false, pointed = null;
  // Somebody who speaks to the computer, or who types by mistake, can turn the keys off.
  let keysOn = true;
  try { keysOn = localStorage.getItem('keys') !== 'off'; } catch { /* Without storage, the keys are on. */ }

  // Reads the parts that a refresh replaces.
  function adopt() {
    first = Number(board.dataset.first);
    steps = Number(board.dataset.steps);
    list = find('.moves');
    links = list ? [...list.querySelectorAll('a')] : [];
    // The ids are for readers without this script. With it, the browser would scroll away from the board.
    for (const link of links) { link.tabIndex = -1; link.removeAttribute('id'); }
    chart = find('.chart');
    values = chart ? find('.chances').dataset.values.split(' ').map(Number) : [];
    if (chart) {
      chart.tabIndex = 0;
      for (const [name, value] of Object.entries({ role: 'slider', 'aria-label': find('.chances').getAttribute('aria-label'), 'aria-valuemin': first, 'aria-valuemax': steps })) chart.setAttribute(name, value);
    }
    start = find('a.from-here');
    starts = start && board.dataset.starts ? read(board.dataset.starts).then((text) => (text ?? '').split('\n')) : null;
  }

  // Replaces the board by another animation, and returns whether there is one. `flip` has the changes for the other side.
  async function mount(path, flip) {
    const [animation, words] = await Promise.all([path, board.dataset.words].map((file) => read(file).then((text) => text ?? '')));
    readPositions(words);
    // The content security policy forbids inline styles. The style sheet has the dark colors.
    const svg = new DOMParser().parseFromString(animation.replace(/<style>[^]*?<\/style>/, ''), 'image/svg+xml').documentElement;
    if (svg.nodeName !== 'svg') return false;
    if (flip) turn(svg, flip.split('\n'));
    svg.querySelectorAll('title, .p').forEach((part) => part.remove());
    // The page has the players' names, and the position in words.
    const [width, height] = board.dataset.view.split(' ').slice(2);
    const size = { viewBox: board.dataset.view, width: 10 * width, height: 10 * height, 'aria-hidden': true };
    for (const [name, value] of Object.entries(size)) svg.setAttribute(name, value);
    // Only the shapes of one step are in the page, and a step touches only those that begin or end with it. Shapes of a layer
    // don't overlap, so their order doesn't matter.
    changes = [];
    const at = (step) => changes[step] ??= [[], []];
    for (const shape of svg.querySelectorAll('[class]')) {
      const [, kind, from, length] = shape.getAttribute('class').match(/^([aeb])(\d+)(?: l(\d+))?/) ?? [];
      if (!kind) continue;
      const group = shape.parentNode, entry = [shape, group.getAttribute('visibility') ? group.parentNode : group];
      shape.removeAttribute('visibility');
      at(Number(from))[0].push(entry);
      if (kind !== 'e') at(Number(from) + (kind === 'b' ? 1 : Number(length)))[1].push(entry);
    }
    for (const [begun] of Object.values(changes)) for (const [shape] of begun) shape.remove();
    step = NaN;
    picture().replaceWith(document.adoptNode(svg));
    boxes = {};
    for (const row of stage.querySelectorAll('.player')) row.querySelector('.piece').replaceChildren(...drawn([row.dataset.piece]));
    return true;
  }
  // The position at each step: `replay.rs` describes the lines.
  function readPositions(text) {
    let parts = [];
    positions = text.trimEnd().split('\n').map((line) => {
      if (line.startsWith('=')) return parts = line.slice(1).split('\t');
      parts = [...parts];
      for (const change of line.split('\t').filter(Boolean)) {
        const at = change.indexOf('=');
        parts[change.slice(0, at)] = change.slice(at + 1);
      }
      return parts;
    });
  }
  // Draws pieces of the board, each as a picture of its own.
  function drawn(ids) {
    return ids.filter((id) => id && picture().querySelector(`#${CSS.escape(id)}`)).map((id) => {
      const [svg, use] = ['svg', 'use'].map((name) => document.createElementNS('http://www.w3.org/2000/svg', name));
      use.setAttribute('href', `#${id}`);
      svg.append(use);
      if (!boxes[id]) {
        const probe = svg.cloneNode(true);
        picture().append(probe);
        const { x, y, width, height } = probe.firstChild.getBBox();
        probe.remove();
        boxes[id] = [x - 2, y - 2, width + 4, height + 4].join(' ');
      }
      svg.setAttribute('viewBox', boxes[id]);
      svg.setAttribute('fill', 'none');
      return svg;
    });
  }
  function showPosition() {
    const [turn, ...parts] = positions[step] ?? [];
    if (turn === undefined) return;
    for (const row of stage.querySelectorAll('.player')) {
      const seat = Number(row.dataset.seat), captured = row.querySelector('.captured'), ids = parts[2 + seat];
      row.classList.toggle('turn', turn === String(seat));
      row.querySelector('.note').textContent = parts[seat];
      row.querySelector('.status').hidden = step < steps;
      if (captured.dataset.ids !== ids) captured.replaceChildren(...drawn(ids.split(' ')));
      captured.dataset.ids = ids;
    }
    find('#position').textContent = parts.slice(4).join('');
  }
  // Moves the shapes to their places on the board from the other side. `flip.rs` describes the lines.
  function turn(svg, lines) {
    let last = '';
    svg.querySelectorAll('svg > g > :not([visibility]), svg > g > [visibility] > *').forEach((shape, index) => {
      last = lines[index] === '"' ? last : lines[index] ?? '';
      if (!last.startsWith('<')) {
        for (const change of last.split(';').filter(Boolean)) shape.setAttribute(...change.split(/=(.*)/, 2));
        return;
      }
      const other = new DOMParser().parseFromString(`<svg xmlns="${svg.namespaceURI}">${last}</svg>`, 'image/svg+xml').documentElement.firstChild;
      if (shape.hasAttribute('class')) other.setAttribute('class', shape.getAttribute('class'));
      shape.replaceWith(svg.ownerDocument.importNode(other, true));
    });
  }
  function paint(from, to) {
    const isMove = Math.abs(to - from) === 1 && from >= 0 && live.matches, gone = [], come = [];
    const add = (entries) => entries?.forEach(([shape, layer]) => { layer.append(shape); come.push(shape); });
    const remove = (entries) => entries?.forEach(([shape]) => { shape.remove(); gone.push(shape); });
    for (; from < to; from++) {
      remove(changes[from + 1]?.[1]);
      add(changes[from + 1]?.[0]);
    }
    for (; from > to; from--) {
      remove(changes[from]?.[0]);
      add(changes[from]?.[1]);
    }
    if (isMove) glide(gone, come);
  }
  // A piece that moved glides from its old place. The ids of pieces are short.
  function glide(gone, come) {
    const id = (shape) => shape.getAttribute('href') ?? '', place = (shape) => ['x', 'y'].map((axis) => Number(shape.getAttribute(axis)));
    for (const shape of come.filter((shape) => shape.hasAttribute('x') && id(shape).length < 4)) {
      const index = gone.findIndex((old) => id(old) === id(shape) && old.hasAttribute('x'));
      if (index < 0) continue;
      const [old] = gone.splice(index, 1), [x, y] = place(shape), [fromX, fromY] = place(old);
      shape.animate([{ transform: `translate(${fromX - x}px, ${fromY - y}px)` }, { transform: 'none' }], { duration: 170, easing: 'ease-out' });
    }
  }

  const linkAt = (step) => step > 0 ? links[links.length - 1 - (steps - step)] : undefined;
  const hashAt = (step) => linkAt(step)?.hash ?? `#p${step}`;
  function stepOf(hash) {
    const index = links.findIndex((link) => link.hash === hash);
    return index < 0 ? Number(hash.match(/^#p(\d+)[a-z]?$/)?.[1] ?? NaN) : steps - links.length + index + 1;
  }
  // Returns a move with its number: `13... Rh3#`.
  function numbered(link) {
    const item = link.closest('li'), number = item.querySelector('b').textContent;
    return `${item.querySelector('a') !== link ? number.replace('.', '...') : number} ${item.querySelector('i')?.textContent ?? ''}${link.textContent}`;
  }
  const nameOf = (step) => step && linkAt(step) ? numbered(linkAt(step)) : step ? '' : 'Start';
  const chanceAt = (step) => values[step] === undefined ? '' : `${find('.chances').dataset.side} ${Math.round(values[step] / 10)}%`;
  // Returns who made a move and when. Only the first move of several has it.
  function noteAt(step) {
    for (let link = linkAt(step), at = step; link; link = linkAt(at -= 1)) if (link.title) return link.title;
    return '';
  }
  const joined = (...parts) => parts.filter(Boolean).join(' · ');

  function describe() {
    const better = linkAt(step + 1)?.dataset.better;
    const lines = [joined(nameOf(step), step && `${step}/${steps}`), joined(better && `Better: ${better}`, chanceAt(step)) || noteAt(step)];
    where.replaceChildren(...lines.filter(Boolean).map((text) => Object.assign(document.createElement('span'), { textContent: text })));
    where.classList.toggle('advice', Boolean(better));
    if (!chart) return;
    chart.setAttribute('aria-valuenow', step);
    chart.setAttribute('aria-valuetext', joined(nameOf(step), chanceAt(step), better && `better: ${better}`));
    showValue();
  }
  // Shows the chances at the pointer, or else at the step on the board.
  function showValue() {
    const shown = pointed ?? step, { width, height } = find('.chances').viewBox.baseVal;
    find('.now').setAttribute('d', `M${width * shown / Math.max(steps, 1)} 0V${height}`);
    find('.value').textContent = pointed === null ? '' : joined(nameOf(shown), chanceAt(shown));
  }
  async function show(next) {
    const last = step;
    step = Math.min(Math.max(next, first), steps);
    paint(Number.isNaN(last) ? -1 : last - first, step - first);
    const link = linkAt(step);
    const marked = list?.querySelector('[aria-current]');
    if (marked !== link) {
      if (marked) { marked.removeAttribute('aria-current'); marked.tabIndex = -1; }
      link?.setAttribute('aria-current', 'step');
    }
    if (link) link.tabIndex = 0;
    if (list) list.scrollTop = link ? link.offsetTop - list.clientHeight / 2 : 0;
    for (const [go, button] of buttons) {
      const isOff = ['first', 'back'].includes(go) ? step <= first : ['on', 'last'].includes(go) && step >= steps;
      if (isOff) button.setAttribute('aria-disabled', 'true'); else button.removeAttribute('aria-disabled');
    }
    describe();
    showPosition();
    if (step === steps) find('.news')?.remove();
    const shown = step, fen = starts && (await starts)[shown];
    if (fen && shown === step) start.search = start.search.replace(/(fen%3D)[^&]*/, (_, key) => key + encodeURIComponent(fen));
  }
  function go(to) {
    show({ first, back: step - 1, on: step + 1, last: steps }[to] ?? to);
    history.replaceState(null, '', hashAt(step));
  }
  function play(on) {
    clearInterval(timer);
    timer = on ? setInterval(() => { go('on'); if (step >= steps) play(false); }, 1000 / speed) : null;
    buttons.get('play').setAttribute('aria-label', on ? 'Pause' : 'Play');
    buttons.get('play').classList.toggle('on', on);
  }
  function stopAt(to) {
    play(false);
    go(to);
  }
  const actions = {
    play() {
      if (timer === null && step >= steps) go('first');
      play(timer === null);
    },
    speed() {
      speed = { 1: 2, 2: 4, 4: 0.5 }[speed] ?? 1;
      const name = `${speed === 0.5 ? '½' : speed}×`, button = buttons.get('speed');
      button.textContent = name;
      button.setAttribute('aria-label', `Speed ${name}`);
      if (timer !== null) play(true);
    },
    async flip() {
      const shown = step;
      const flip = turned ? '' : await read(board.dataset.flip);
      if (flip !== null && await mount(board.dataset.replay, flip)) turned = !turned;
      board.classList.toggle('turned', turned);
      show(shown);
    },
    async copy() {
      const url = new URL(hashAt(step), location), shown = step;
      history.replaceState(null, '', url);
      const copied = await navigator.clipboard?.writeText(url.href).then(() => true, () => false);
      where.textContent = copied ? 'Copied' : 'The address bar has the link to this move';
      setTimeout(() => { if (step === shown) describe(); }, 2000);
    },
    keys() {
      let dialog = find('dialog');
      if (!dialog) {
        dialog = document.createElement('dialog');
        const lines = [['←, →', 'Previous or next move'], ['Shift + ←, →', 'First or last position'], ['Space', 'Play or pause'], ['f', 'Flip the board'], ['c', 'Copy a link to this move'], ['?', 'Show this list']];
        const make = (name, textContent) => Object.assign(document.createElement(name), { textContent });
        const keys = make('dl', ''), close = make('button', 'Close');
        keys.append(...lines.flatMap(([key, what]) => [make('dt', key), make('dd', what)]));
        const label = make('label', ''), box = Object.assign(make('input', ''), { type: 'checkbox', checked: keysOn });
        box.addEventListener('change', () => {
          keysOn = box.checked;
          try { localStorage.setItem('keys', keysOn ? 'on' : 'off'); } catch { /* The choice lasts until the page is left. */ }
        });
        label.append(box, 'Use these keys');
        close.addEventListener('click', () => dialog.close());
        dialog.append(make('h2', 'Keyboard shortcuts'), keys, label, close);
        document.body.append(dialog);
      }
      dialog.showModal();
    },
  };

  adopt();
  if (!(await mount(board.dataset.replay))) {
    picture().replaceWith(Object.assign(new Image(), { src: board.dataset.replay.replace('.svg', '.board.svg'), alt: '' }));
    return;
  }
  let touch = null;
  board.addEventListener('touchstart', (event) => { touch = event.touches.length === 1 && event.target.closest('svg') ? event.touches[0] : null; }, { passive: true });
  board.addEventListener('touchend', (event) => {
    const end = event.changedTouches[0];
    if (!touch) return;
    const across = end.clientX - touch.clientX, down = end.clientY - touch.clientY;
    if (Math.abs(across) > 30 && Math.abs(across) > 2 * Math.abs(down)) stopAt(across < 0 ? 'on' : 'back');
    touch = null;
  });
  const pointedStep = (event) => {
    const box = find('.chances').getBoundingClientRect();
    return Math.min(Math.max(Math.round((event.clientX - box.left) / box.width * steps), first), steps);
  };
  find('main').addEventListener('click', (event) => {
    const name = event.target.closest('[data-go]')?.dataset.go, link = event.target.closest('.moves a, .mistakes a');
    if (event.target.closest('.chart')) return stopAt(pointedStep(event));
    if (name) return actions[name] ? actions[name]() : stopAt(name);
    if (!link || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    stopAt(stepOf(link.hash));
    const { top, bottom } = stage.getBoundingClientRect();
    if (link.closest('.mistakes') && (top < 0 || bottom > innerHeight)) stage.scrollIntoView({ behavior: live.matches ? 'smooth' : 'instant' });
  });
  find('main').addEventListener('pointermove', (event) => {
    const isOver = event.target.closest('.chart') && event.pointerType !== 'touch';
    if (!isOver && pointed === null) return;
    pointed = isOver ? pointedStep(event) : null;
    showValue();
  });
  document.addEventListener('keydown', (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest('input, textarea, select, dialog')) return;
    // The keys of the chart, which is a slider, always work on it.
    const onChart = event.target.closest('.chart');
    if (!keysOn && !onChart) return;
    const ends = onChart && { Home: 'first', End: 'last' }[event.key];
    const to = ends || { ArrowLeft: event.shiftKey ? 'first' : 'back', ArrowRight: event.shiftKey ? 'last' : 'on' }[event.key];
    const action = event.key === ' ' && !event.target.closest('button, summary') ? 'play' : { f: 'flip', c: 'copy', '?': 'keys' }[event.key];
    if (!to && !buttons.has(action)) return;
    event.preventDefault();
    if (to) stopAt(to); else actions[action]();
  });
  window.addEventListener('hashchange', () => { if (!Number.isNaN(stepOf(location.hash))) show(stepOf(location.hash)); });
  board.classList.add('live');
  if (location.hash && performance.getEntriesByType('navigation')[0]?.type === 'navigate') scrollTo(0, 0);
  show(Number.isNaN(stepOf(location.hash)) ? steps : stepOf(location.hash));

  // The games before and after this one, as they are now.
  async function findNeighbors() {
    const near = find('[data-near]');
    const stems = near && await read(near.dataset.near, (response) => response.json());
    const at = stems?.indexOf(near.dataset.stem) ?? -1;
    for (const [rel, stem] of at < 0 ? [] : [['prev', stems[at - 1]], ['next', stems[at + 1]]]) {
      const link = near.querySelector(`[rel="${rel}"]`);
      if (stem) { link.href = `${stem}.html`; link.hidden = false; }
    }
  }
  findNeighbors();

  // A running game: when its small file changes, the new page replaces the parts of this one. A reader who looks at an earlier
  // move stays there.
  let checked = Date.now();
  async function refresh() {
    if (!board.dataset.live || document.hidden || Date.now() - checked < 50000) return;
    checked = Date.now();
    const ask = (path) => fetch(path, { cache: 'no-cache' }).catch(() => null);
    const now = await ask(board.dataset.live);
    // A finished game has no such file.
    if (!now || (now.ok ? (await now.text()).trim() === board.dataset.now : now.status !== 404)) return;
    const answer = await ask(location.pathname);
    const fresh = answer?.ok ? new DOMParser().parseFromString(await answer.text(), 'text/html') : null;
    const next = fresh?.querySelector('[data-replay]');
    if (!next || next.dataset.now === board.dataset.now) return;
    const before = step, wasLast = step >= steps, more = Number(next.dataset.steps) - steps;
    for (const key of Object.keys(board.dataset)) delete board.dataset[key];
    Object.assign(board.dataset, next.dataset);
    for (const selector of ['.info', '.act', '.list', '.evaluation', '.mistakes', '.more']) {
      const old = find(selector), part = fresh.querySelector(selector);
      if (part) showTimes(part);
      if (old && part) old.replaceWith(document.adoptNode(part));
      else if (old) old.remove();
      else if (part) find('.game').append(document.adoptNode(part));
    }
    const rows = [stage, fresh].map((root) => root.querySelectorAll('.player'));
    rows[0].forEach((row, index) => row.replaceWith(document.adoptNode(rows[1][index])));
    find('.game').className = fresh.querySelector('.game').className;
    document.title = fresh.title;
    adopt();
    await mount(board.dataset.replay, turned ? await read(board.dataset.flip) : '');
    findNeighbors();
    if (wasLast) return go('last');
    show(before);
    if (more < 1) return;
    const news = Object.assign(document.createElement('button'), { className: 'news', textContent: `${more} new move${more > 1 ? 's' : ''}: show` });
    news.dataset.go = 'last';
    find('.act').append(news);
  }
  setInterval(refresh, 60000);
  document.addEventListener('visibilitychange', refresh);
})();
