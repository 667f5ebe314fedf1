// Shows times in the reader's time zone, and how long ago a turn began.
for (const time of document.querySelectorAll('time[datetime*="T"]')) {
  const moment = new Date(time.dateTime);
  time.title = time.textContent;
  if (time.classList.contains('ago')) {
    const minutes = (Date.now() - moment) / 60000;
    const [amount, unit] = minutes < 60 ? [minutes, 'minute'] : minutes < 2880 ? [minutes / 60, 'hour'] : [minutes / 1440, 'day'];
    if (amount >= 0 && amount < 60) time.textContent = new Intl.RelativeTimeFormat('en').format(-Math.floor(amount), unit);
  } else if (!time.classList.contains('day')) {
    time.textContent = moment.toLocaleString('en-US', { dateStyle: 'medium', timeStyle: 'short' });
  }
}

// Steps through the animated board: takes the SVG apart and shows each shape at its plies.
(async () => {
  const board = document.querySelector('[data-replay]');
  if (!board) return;
  const first = Number(board.dataset.first), plies = Number(board.dataset.plies);
  const controls = board.querySelector('.controls'), where = board.querySelector('.where');
  const buttons = new Map([...controls.querySelectorAll('button')].map((button) => [button.dataset.go, button]));
  const read = (path, parse = (response) => response.text()) => fetch(path).then((response) => response.ok ? parse(response) : null).catch(() => null);
  const moves = new Map([...document.querySelectorAll('.moves a')].map((link) => [Number(link.hash.slice(2)), link]));
  const list = document.querySelector('.moves');
  const chances = document.querySelector('.chances'), now = document.querySelector('.now');
  const values = chances ? chances.dataset.values.split(' ').map(Number) : [];
  const start = document.querySelector('a.start');
  const starts = start && board.dataset.starts ? read(board.dataset.starts).then((text) => (text ?? '').split('\n')) : null;
  let ply = plies, shapes = [], timer = null, speed = 1, turned = false;

  // Replaces the board by another animation, and returns whether there is one.
  async function mount(path, changes) {
    const animation = (await read(path)) ?? '';
    // The content security policy forbids inline styles. The style sheet has the dark colors.
    const svg = new DOMParser().parseFromString(animation.replace(/<style>[^]*?<\/style>/, ''), 'image/svg+xml').documentElement;
    if (svg.nodeName !== 'svg') return false;
    if (changes) turn(svg, changes.split('\n'));
    svg.querySelectorAll('title, .p').forEach((part) => part.remove());
    svg.setAttribute('aria-hidden', 'true');
    const drawn = document.importNode(svg, true);
    board.querySelector('img, svg').replaceWith(drawn);
    shapes = [...drawn.querySelectorAll('[class]')].map((shape) => {
      const at = (letter) => Number(shape.getAttribute('class').match(`(?:^| )${letter}(\\d+)`)?.[1] ?? NaN);
      const lasting = at('e'), from = Number.isNaN(lasting) ? at('a') : lasting;
      return { shape, from, to: Number.isNaN(lasting) ? from + at('l') : Infinity };
    });
    listenToFingers(drawn);
    return true;
  }

  // Moves the shapes to their places on the board from the other side. `flip.rs` describes the lines.
  function turn(svg, changes) {
    const shapes = svg.querySelectorAll('svg > g > :not([visibility]), svg > g > [visibility] > *');
    let last = '';
    shapes.forEach((shape, index) => {
      last = changes[index] === '"' ? last : changes[index];
      if (!last.startsWith('<')) {
        for (const change of last.split(';').filter(Boolean)) shape.setAttribute(...change.split(/=(.*)/, 2));
        return;
      }
      const other = new DOMParser().parseFromString(`<svg xmlns="${svg.namespaceURI}">${last}</svg>`, 'image/svg+xml').documentElement.firstChild;
      if (shape.hasAttribute('class')) other.setAttribute('class', shape.getAttribute('class'));
      shape.replaceWith(svg.ownerDocument.importNode(other, true));
    });
  }

  // Returns a move with its number: `13... Rh3#`.
  function numbered(link) {
    const number = link.closest('li').querySelector('b').textContent, isSecond = link.previousElementSibling?.nodeName === 'A';
    return `${isSecond ? number.replace('.', '...') : number} ${link.textContent}`;
  }
  async function show(next) {
    ply = Math.min(Math.max(next, first), plies);
    for (const { shape, from, to } of shapes) shape.setAttribute('visibility', ply - first >= from && ply - first < to ? 'visible' : 'hidden');
    list?.querySelector('[aria-current]')?.removeAttribute('aria-current');
    const link = moves.get(ply);
    link?.setAttribute('aria-current', 'step');
    if (list) list.scrollTop = link ? link.offsetTop - list.clientHeight / 2 : 0;
    const chance = values[ply] === undefined ? '' : ` · ${chances.dataset.side} ${Math.round(values[ply] / 10)}%`;
    where.textContent = (ply ? `${link ? `${numbered(link)} · ` : ''}move ${ply} of ${plies}` : 'Start') + chance;
    for (const [go, button] of buttons) {
      if (['first', 'back'].includes(go)) button.disabled = ply <= first;
      if (['on', 'last'].includes(go)) button.disabled = ply >= plies;
    }
    if (now) now.setAttribute('d', `M${chances.viewBox.baseVal.width * ply / plies} 0V${chances.viewBox.baseVal.height}`);
    const shown = ply, fen = starts && (await starts)[shown];
    if (fen && shown === ply) start.search = start.search.replace(/(fen%3D)[^&]*/, (_, key) => key + encodeURIComponent(fen));
  }
  function go(to) {
    show({ first, back: ply - 1, on: ply + 1, last: plies }[to] ?? to);
    history.replaceState(null, '', `#p${ply}`);
  }
  function play(on) {
    clearInterval(timer);
    timer = on ? setInterval(() => { go('on'); if (ply >= plies) play(false); }, 1000 / speed) : null;
    buttons.get('play').setAttribute('aria-label', on ? 'Pause' : 'Play');
    buttons.get('play').classList.toggle('on', on);
  }
  const actions = {
    play() {
      if (timer === null && ply >= plies) go('first');
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
      const changes = turned ? '' : await read(board.dataset.flip);
      if (changes !== null && await mount(board.dataset.replay, changes)) turned = !turned;
      show(ply);
    },
    async copy() {
      const url = new URL(`#p${ply}`, location);
      history.replaceState(null, '', url);
      const copied = await navigator.clipboard?.writeText(url.href).then(() => true, () => false);
      where.textContent = copied ? 'Copied' : 'The address bar has the link to this move';
    },
  };
  let touch = null;
  function listenToFingers(drawn) {
    drawn.addEventListener('touchstart', (event) => { touch = event.touches.length === 1 ? event.touches[0] : null; }, { passive: true });
    drawn.addEventListener('touchend', (event) => {
      const end = event.changedTouches[0];
      if (!touch) return;
      const across = end.clientX - touch.clientX, down = end.clientY - touch.clientY;
      if (Math.abs(across) > 30 && Math.abs(across) > 2 * Math.abs(down)) { play(false); go(across < 0 ? 'on' : 'back'); }
      touch = null;
    });
  }

  const plyInUrl = () => Number(location.hash.match(/^#p(\d+)$/)?.[1] ?? NaN);
  if (!(await mount(board.dataset.replay))) return;
  controls.addEventListener('click', (event) => {
    const name = event.target.closest('button')?.dataset.go;
    if (!name) return;
    if (actions[name]) return actions[name]();
    play(false);
    go(name);
  });
  list?.addEventListener('click', (event) => {
    const link = event.target.closest('a');
    if (!link || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    play(false);
    go(Number(link.hash.slice(2)));
  });
  document.addEventListener('keydown', (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest('input, textarea, select')) return;
    const to = { ArrowLeft: 'back', ArrowRight: 'on', Home: 'first', End: 'last' }[event.key];
    if (!to) return;
    event.preventDefault();
    play(false);
    go(to);
  });
  chances?.addEventListener('click', (event) => {
    const box = chances.getBoundingClientRect();
    play(false);
    go(Math.round((event.clientX - box.left) / box.width * plies));
  });
  window.addEventListener('hashchange', () => { if (!Number.isNaN(plyInUrl())) show(plyInUrl()); });
  board.classList.add('live');
  show(Number.isNaN(plyInUrl()) ? plies : plyInUrl());

  // The games before and after this one, as they are now.
  const near = document.querySelector('[data-near]');
  const stems = near && await read(near.dataset.near, (response) => response.json());
  const at = stems?.indexOf(near.dataset.stem) ?? -1;
  for (const [rel, stem] of at < 0 ? [] : [['prev', stems[at - 1]], ['next', stems[at + 1]]]) {
    const link = near.querySelector(`[rel="${rel}"]`);
    if (stem) { link.href = `${stem}.html`; link.hidden = false; }
  }
})();
