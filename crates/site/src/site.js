// Steps through the animated board: takes the SVG apart and shows each shape at its plies.
(async () => {
  const board = document.querySelector('[data-film]');
  if (!board) return;
  const first = Number(board.dataset.first), plies = Number(board.dataset.plies);
  const picture = board.querySelector('img'), controls = board.querySelector('.controls');
  const where = board.querySelector('.where'), here = board.querySelector('.here');
  const animation = await fetch(board.dataset.film).then((response) => response.ok ? response.text() : '').catch(() => '');
  // The content security policy forbids inline styles. The style sheet has the dark colors.
  const svg = new DOMParser().parseFromString(animation.replace(/<style>[^]*?<\/style>/, ''), 'image/svg+xml').documentElement;
  if (svg.nodeName !== 'svg') return;
  svg.querySelectorAll('title, .p').forEach((part) => part.remove());
  const shapes = [...svg.querySelectorAll('[class]')].map((shape) => {
    const at = (letter) => Number(shape.getAttribute('class').match(`(?:^| )${letter}(\\d+)`)?.[1] ?? NaN);
    const from = Number.isNaN(at('e')) ? at('a') : at('e');
    return { shape, from, to: Number.isNaN(at('e')) ? from + at('l') : Infinity };
  });
  svg.removeAttribute('width');
  svg.removeAttribute('height');
  svg.setAttribute('aria-hidden', 'true');
  picture.replaceWith(document.importNode(svg, true));
  const drawn = board.querySelector('svg');
  const live = [...drawn.querySelectorAll('[class]')].map((shape, at) => ({ ...shapes[at], shape }));
  const now = board.querySelector('.now'), chances = board.querySelector('.chances');
  const start = document.querySelector('a.start');
  const starts = start && board.dataset.starts
    ? fetch(board.dataset.starts).then((response) => response.ok ? response.text() : '').then((text) => text.split('\n')).catch(() => []) : null;
  let ply = plies;

  async function show(next, announce = true) {
    ply = Math.min(Math.max(next, first), plies);
    for (const { shape, from, to } of live) shape.setAttribute('visibility', ply - first >= from && ply - first < to ? 'visible' : 'hidden');
    const line = document.getElementById(`p${ply}`);
    document.querySelector('.moves [aria-current]')?.removeAttribute('aria-current');
    line?.querySelector('a').setAttribute('aria-current', 'step');
    const list = line?.closest('.moves');
    if (list) list.scrollTop = line.offsetTop - list.offsetTop - list.clientHeight / 2;
    if (announce) where.textContent = ply ? `Move ${ply} of ${plies}${line ? `: ${line.textContent.trim()}` : ''}` : 'Start';
    here.hash = `p${ply}`;
    for (const button of controls.querySelectorAll('button')) {
      button.disabled = ['first', 'back'].includes(button.dataset.go) ? ply <= first : ply >= plies;
    }
    if (now) now.setAttribute('d', `M${chances.viewBox.baseVal.width * ply / plies} 0V${chances.viewBox.baseVal.height}`);
    const shown = ply, fen = starts && (await starts)[shown];
    if (fen && shown === ply) start.search = start.search.replace(/(fen%3D)[^&]*/, (_, key) => key + encodeURIComponent(fen));
  }
  const go = (to) => {
    show({ first, back: ply - 1, on: ply + 1, last: plies }[to] ?? to);
    history.replaceState(null, '', `#p${ply}`);
  };
  const plyInUrl = () => Number(location.hash.match(/^#p(\d+)$/)?.[1] ?? NaN);
  controls.addEventListener('click', (event) => {
    const button = event.target.closest('button');
    if (button) go(button.dataset.go);
  });
  document.querySelector('.moves')?.addEventListener('click', (event) => {
    const link = event.target.closest('a');
    if (!link || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    go(Number(link.hash.slice(2)));
  });
  document.addEventListener('keydown', (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest('input, textarea, [contenteditable]')) return;
    const to = { ArrowLeft: 'back', ArrowRight: 'on', Home: 'first', End: 'last' }[event.key];
    if (!to || event.target.closest('.wide')) return;
    event.preventDefault();
    go(to);
  });
  let touch = null;
  drawn.addEventListener('touchstart', (event) => { touch = event.touches.length === 1 ? event.touches[0] : null; }, { passive: true });
  drawn.addEventListener('touchend', (event) => {
    const end = event.changedTouches[0];
    if (!touch) return;
    const across = end.clientX - touch.clientX, down = end.clientY - touch.clientY;
    if (Math.abs(across) > 30 && Math.abs(across) > 2 * Math.abs(down)) go(across < 0 ? 'on' : 'back');
    touch = null;
  });
  chances?.addEventListener('click', (event) => {
    const box = chances.getBoundingClientRect();
    go(Math.round((event.clientX - box.left) / box.width * plies));
  });
  window.addEventListener('hashchange', () => { if (!Number.isNaN(plyInUrl())) show(plyInUrl()); });
  controls.hidden = where.hidden = false;
  show(Number.isNaN(plyInUrl()) ? plies : plyInUrl(), !Number.isNaN(plyInUrl()));
})();
