
// Copies a game as Markdown, and saves the board that is shown as a picture.
(() => {
  const box = document.querySelector('.sharing'), board = document.querySelector('.board');
  if (!box || !board) return;
  const said = box.querySelector('[role="status"]');
  const save = (url, name) => Object.assign(document.createElement('a'), { href: url, download: name }).click();
  const actions = {
    async markdown() {
      const title = box.dataset.title.replace(/[[\]\\]/g, '\\$&');
      const text = `[![${title}](${new URL(board.dataset.replay, location)})](${location.href})`;
      const copied = await navigator.clipboard?.writeText(text).then(() => true, () => false);
      said.textContent = copied ? 'Copied' : text;
    },
    async picture() {
      const svg = board.querySelector('.stage > svg');
      if (!svg) return;
      const { width, height } = svg.viewBox.baseVal, size = [1000, Math.round(1000 * height / width)];
      const drawn = svg.cloneNode(true);
      drawn.setAttribute('width', size[0]);
      drawn.setAttribute('height', size[1]);
      const image = new Image();
      image.src = URL.createObjectURL(new Blob([new XMLSerializer().serializeToString(drawn)], { type: 'image/svg+xml' }));
      await image.decode();
      const canvas = Object.assign(document.createElement('canvas'), { width: size[0], height: size[1] });
      canvas.getContext('2d').drawImage(image, 0, 0);
      const ply = location.hash.match(/\d+/)?.[0] ?? board.dataset.steps;
      canvas.toBlob((picture) => save(URL.createObjectURL(picture), `${board.dataset.replay.replace('.svg', '')}-${ply}.png`), 'image/png');
      said.textContent = 'Saved';
    },
  };
  box.addEventListener('click', (event) => actions[event.target.closest('button')?.dataset.share]?.().catch(() => { said.textContent = 'This browser can’t do that'; }));
})();
