// Filters the list of players. The names that aren't on the page are in a file of their own.
(() => {
  const box = document.querySelector('#search');
  if (!box) return;
  const list = document.querySelector('#found'), all = document.querySelector('#all'), said = document.querySelector('#search-result');
  let names = null;
  box.closest('[hidden]').hidden = false;
  box.addEventListener('input', async () => {
    names ??= fetch('search.json').then((response) => response.ok ? response.json() : []).catch(() => []);
    const everyone = await names, text = box.value.trim().toLowerCase();
    const found = text ? everyone.filter(([, name]) => name.toLowerCase().includes(text)) : [];
    list.replaceChildren(...found.slice(0, 50).map(([id, name, games]) => {
      const item = document.createElement('li'), link = document.createElement('a'), count = document.createElement('small');
      link.href = `${id}.html`;
      link.textContent = name;
      count.textContent = games === 1 ? ' 1 game' : ` ${games} games`;
      item.append(link, count);
      return item;
    }));
    all.hidden = text !== '';
    said.textContent = !text ? '' : found.length === 1 ? '1 player' : `${found.length} players${found.length > 50 ? ', the first 50 shown' : ''}`;
  });
})();
