// Steps through the animated board: takes the SVG apart and shows each shape at its steps.
(async () => {
  const find = (selector) => document.querySelector(selector);
  const board = find('[data-replay]');
  if (!board) return;
  const where = board.querySelector('.where'), live = matchMedia('(prefers-reduced-motion: no-preference)');
  const buttons = new Map([...board.querySelectorAll('button')].map((button) => [button.dataset.go, button]));
  const read = (path, parse = (response) => response.text()) => fetch(path).then((response) => response.ok ? parse(response) : null).catch(() => null);
  let first, steps, list, links, chart, values, start, starts;
  let step = NaN, changes = [], timer = null, speed = 1, turned = false, pointed = null;

  // Reads the parts that a refresh replaces.
  function adopt() {
    first = Number(board.dataset.first);
    steps = Number(board.dataset.steps);
    list = find('.moves');
    links = list ? [...list.querySelectorAll('a')] : [];
    for (const link of links) link.tabIndex = -1;
    chart = find('.chart');
    values = chart ? find('.chances').dataset.values.split(' ').map(Number) : [];
    if (chart) {
      chart.tabIndex = 0;
      for (const [name, value] of Object.entries({ role: 'slider', 'aria-label': find('.chances').getAttribute('aria-label'), 'aria-valuemin': first, 'aria-valuemax': steps })) chart.setAttribute(name, value);
    }
    start = find('a.start');
    starts = start && board.dataset.starts ? read(board.dataset.starts).then((text) => (text ?? '').split('\n')) : null;
  }

  // Replaces the board by another animation, and returns whether there is one. `flip` has the changes for the other side.
  async function mount(path, flip) {
    const animation = (await read(path)) ?? '';
    // The content security policy forbids inline styles. The style sheet has the dark colors.
    const svg = new DOMParser().parseFromString(animation.replace(/<style>[^]*?<\/style>/, ''), 'image/svg+xml').documentElement;
    if (svg.nodeName !== 'svg') return false;
    if (flip) turn(svg, flip.split('\n'));
    svg.querySelectorAll('title, .p').forEach((part) => part.remove());
    svg.setAttribute('aria-hidden', 'true');
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
    board.querySelector(':scope > svg').replaceWith(document.adoptNode(svg));
    return true;
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
    const add = (entries) => entries?.forEach(([shape, layer]) => layer.append(shape));
    const remove = (entries) => entries?.forEach(([shape]) => shape.remove());
    for (; from < to; from++) {
      remove(changes[from + 1]?.[1]);
      add(changes[from + 1]?.[0]);
    }
    for (; from > to; from--) {
      remove(changes[from]?.[0]);
      add(changes[from]?.[1]);
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
    return `${link.previousElementSibling?.nodeName === 'A' ? number.replace('.', '...') : number} ${item.querySelector('i')?.textContent ?? ''}${link.textContent}`;
  }
  const nameOf = (step) => step && linkAt(step) ? numbered(linkAt(step)) : step ? '' : 'Start';
  const chanceAt = (step) => values[step] === undefined ? '' : `${find('.chances').dataset.side} ${Math.round(values[step] / 10)}%`;
  const joined = (...parts) => parts.filter(Boolean).join(' · ');

  function describe() {
    const better = linkAt(step + 1)?.dataset.better;
    const lines = [joined(nameOf(step), step && `${step} of ${steps}`), joined(better && `Better: ${better}`, chanceAt(step))];
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
    find('.value').textContent = joined(nameOf(shown), chanceAt(shown));
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
        const lines = [['←, →', 'Previous or next move'], ['Home, End', 'First or last position'], ['Space', 'Play or pause'], ['f', 'Flip the board'], ['c', 'Copy a link to this move'], ['?', 'Show this list']];
        const make = (name, textContent) => Object.assign(document.createElement(name), { textContent });
        const keys = make('dl', ''), close = make('button', 'Close');
        keys.append(...lines.flatMap(([key, what]) => [make('dt', key), make('dd', what)]));
        close.addEventListener('click', () => dialog.close());
        dialog.append(make('h2', 'Keyboard shortcuts'), keys, close);
        document.body.append(dialog);
      }
      dialog.showModal();
    },
  };

  adopt();
  if (!(await mount(board.dataset.replay))) {
    board.querySelector(':scope > svg').replaceWith(Object.assign(new Image(), { src: board.dataset.replay, alt: 'The whole game' }));
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
    const box = chart.getBoundingClientRect();
    return Math.min(Math.max(Math.round((event.clientX - box.left) / box.width * steps), first), steps);
  };
  find('main').addEventListener('click', (event) => {
    const name = event.target.closest('[data-go]')?.dataset.go, link = event.target.closest('.moves a, .mistakes a');
    if (event.target.closest('.chart')) return stopAt(pointedStep(event));
    if (name) return actions[name] ? actions[name]() : stopAt(name);
    if (!link || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    stopAt(stepOf(link.hash));
    const { top, bottom } = board.getBoundingClientRect();
    if (link.closest('.mistakes') && (top < 0 || bottom > innerHeight)) board.scrollIntoView({ behavior: live.matches ? 'smooth' : 'instant' });
  });
  find('main').addEventListener('pointermove', (event) => {
    const isOver = event.target.closest('.chart') && event.pointerType !== 'touch';
    if (!isOver && pointed === null) return;
    pointed = isOver ? pointedStep(event) : null;
    showValue();
  });
  document.addEventListener('keydown', (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest('input, textarea, select, dialog')) return;
    const to = { ArrowLeft: 'back', ArrowRight: 'on', Home: 'first', End: 'last' }[event.key];
    const action = event.key === ' ' && !event.target.closest('button, summary') ? 'play' : { f: 'flip', c: 'copy', '?': 'keys' }[event.key];
    if (!to && !buttons.has(action)) return;
    event.preventDefault();
    if (to) stopAt(to); else actions[action]();
  });
  window.addEventListener('hashchange', () => { if (!Number.isNaN(stepOf(location.hash))) show(stepOf(location.hash)); });
  board.classList.add('live');
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
