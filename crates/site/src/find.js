// Finds players and results. The query is in the URL, so it survives Back.
(() => {
  const box = document.querySelector('.search, .filter');
  if (!box) return;
  const fields = [...box.querySelectorAll('input, select')];
  const list = document.querySelector('#found'), all = document.querySelector('#all'), said = document.querySelector('#said'), more = document.querySelector('#more');
  const isFilter = box.matches('.filter');
  let known = null, size = 50, asked = 0;

  function element(tag, properties, ...children) {
    const made = Object.assign(document.createElement(tag), properties);
    made.append(...children);
    return made;
  }
  const load = (path) => fetch(path).then((response) => response.ok ? response.json() : null).catch(() => null);
  const count = (number, noun) => `${number} ${noun}${number === 1 ? '' : 's'}`;
  const link = ([id, name]) => element('a', { href: `../players/${id}.html` }, name);

  // Lists of players: an id, a name, and a number of games each.
  const findPlayers = ({ q }, players) => players.filter(([, name]) => name.toLowerCase().includes(q.toLowerCase()));
  const playerItem = ([id, name, games]) => element('li', {}, link([id, name]), ' ', element('small', {}, count(games, 'game')));

  // Lists of results: `results_index.rs` describes the files.
  async function loadResults() {
    const files = await Promise.all(Array.from({ length: box.dataset.files }, (_, index) => load(`games-${index + 1}.json`)));
    return files.filter(Boolean).flatMap(({ games, people, rows }) => rows.map(([stem, game, result, date, plies, ...seats]) => {
      const holders = seats.map((seat) => typeof seat === 'number' ? people[seat] : seat);
      return { stem, game: games[game], result, date, plies, seats: holders };
    })).reverse();
  }
  function findResults({ game, year, player, against, result }, results) {
    const everyone = results.flatMap(({ seats }) => seats.filter(Array.isArray));
    const holder = (text) => {
      const name = text.toLowerCase(), ids = new Set(everyone.filter(([, login]) => login.toLowerCase() === name).map(([id]) => id));
      return (seat) => !name || (Array.isArray(seat) ? (ids.size ? ids.has(seat[0]) : seat[1].toLowerCase().includes(name)) : seat.toLowerCase().startsWith(name));
    };
    const [isPlayer, isOpponent] = [player, against].map(holder);
    return results.filter((found) => {
      const sides = [0, 1].filter((side) => isPlayer(found.seats[side]) && isOpponent(found.seats[1 - side]));
      const isOpen = found.seats.length !== 2;
      found.sides = sides;
      return (!game || [found.game[0], found.game[2]].includes(game)) && (!year || found.date.startsWith(year))
        && (isOpen ? found.seats.some(isPlayer) && found.seats.some(isOpponent) : sides.length > 0)
        && (!result || (result === 'won' ? sides.includes(found.result) : result === 'lost' ? sides.includes(1 - found.result) : found.result === Number(result)));
    });
  }
  function resultItem({ stem, game, result, date, plies, seats }) {
    const names = seats.map((seat) => Array.isArray(seat) ? link(seat) : seat);
    const [first, second] = names.map((name, side) => side === result ? element('strong', {}, name) : name);
    const [year, month, day] = date.split('-'), at = new Date(Date.UTC(year, (month ?? 1) - 1, day ?? 1));
    const when = at.toLocaleDateString('en-US', { timeZone: 'UTC', year: 'numeric', month: month && 'short', day: day && 'numeric' });
    return element('li', { className: 'row' },
      element('img', { src: `../games/${stem}.board.svg`, alt: '', width: 56, height: 56, loading: 'lazy' }),
      element('p', {}, element('a', { className: 'cover', href: `../games/${stem}.html` }, game[1]), ' ', element('small', {}, count(plies, 'move'))),
      element('p', { className: 'who' }, ...(seats.length === 2 ? [first, ' – ', second] : ['Open table'])),
      element('p', { className: 'score' }, ['1 – 0', '0 – 1', '½ – ½', 'no result'][result]),
      element('p', { className: 'when' }, date ? element('time', { dateTime: date }, when) : ''));
  }

  // Returns a player's score in the games found: `: alice won 3, lost 2`.
  function score({ player }, found) {
    if (!isFilter) return '';
    const decided = found.filter(({ sides, seats }) => seats.length === 2 && sides?.length === 1);
    if (!player || !decided.length) return '';
    const [won, drawn] = [({ result, sides }) => sides[0] === result, ({ result }) => result === 2].map((is) => decided.filter(is).length);
    const lost = decided.filter(({ result, sides }) => 1 - sides[0] === result).length;
    return `: ${player} won ${won}, lost ${lost}${drawn ? `, drew ${drawn}` : ''}`;
  }

  async function find() {
    const number = asked += 1, wanted = Object.fromEntries(fields.map((field) => [field.name, field.value.trim()]));
    const words = new URLSearchParams(Object.entries(wanted).filter(([, value]) => value)).toString();
    history.replaceState(null, '', words ? `?${words}${location.hash}` : location.pathname + location.hash);
    all.hidden = words !== '';
    if (words) known ??= isFilter ? loadResults() : load('search.json');
    const found = words ? (isFilter ? findResults : findPlayers)(wanted, (await known) ?? []) : [];
    if (number !== asked) return;
    list.replaceChildren(...found.slice(0, size).map(isFilter ? resultItem : playerItem));
    // The style sheet hides the list of all results as soon as a link to the filter is followed.
    if (!words && location.hash === '#found') location.hash = 'all';
    said.textContent = words ? count(found.length, isFilter ? 'game' : 'player') + (found.length > size ? `, the first ${size} shown` : '') + score(wanted, found) : '';
    more.hidden = found.length <= size;
  }
  const asks = new URLSearchParams(location.search);
  for (const field of fields) field.value = asks.get(field.name) ?? field.value;
  box.addEventListener('input', () => { size = 50; find(); });
  box.addEventListener('keydown', async (event) => {
    if (event.key !== 'Enter' || event.target.nodeName !== 'INPUT') return;
    await known;
    if (!isFilter) list.querySelector('a')?.click();
  });
  box.querySelector('button')?.addEventListener('click', () => { for (const field of fields) field.value = ''; find(); });
  more.addEventListener('click', () => { size += 100; find(); });
  if (fields.some((field) => field.value)) find();
})();
