// Clicks through a site in a real browser: node .ci/site.mjs SITE [--all] [--shots FOLDER]
//
// Looks at each kind of page, narrow and wide, light and dark, with and without script, and runs axe-core on it; with `--all`, at
// every width in both themes. The site may be made of hostile records: a script that runs or a request that leaves the site is a fault.
import { createServer } from 'node:http';
import { existsSync } from 'node:fs';
import { readFile, readdir, mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { extname, join, normalize } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const { values: { all, shots }, positionals: [site] } = parseArgs({
  options: { all: { type: 'boolean', default: false }, shots: { type: 'string' } }, allowPositionals: true,
});
const types = { '.html': 'text/html', '.css': 'text/css', '.js': 'text/javascript', '.svg': 'image/svg+xml', '.json': 'application/json', '.xml': 'application/atom+xml' };
// The 404 page links to the root of the published site.
const base = (await readFile(join(site, 'index.html'), 'utf8')).match(/rel="canonical" href="https?:\/\/[^/]+(\/[^"]*?)index.html"/)?.[1] ?? '/';
const server = createServer(async (request, response) => {
  const requested = normalize(decodeURIComponent(new URL(request.url, 'http://site').pathname));
  const path = requested.startsWith(base) ? requested.slice(base.length) : 'nowhere';
  const found = await readFile(join(site, path === '' || path.endsWith('/') ? `${path}index.html` : path)).catch(() => null);
  response.writeHead(found ? 200 : 404, { 'content-type': `${types[extname(path)] ?? 'text/html'}; charset=utf-8` });
  response.end(found ?? (await readFile(join(site, '404.html'))));
}).listen(0, '127.0.0.1');
await new Promise((ready) => server.once('listening', ready));
const top = `http://127.0.0.1:${server.address().port}${base}`;

const faults = [];
const check = (right, what) => { if (!right) faults.push(what); };
// The headless shell takes a third of the CPU time of the whole Chromium.
const installed = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find((path) => existsSync(path));
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? installed, args: ['--no-sandbox', '--disable-gpu'] });

const SCREENS = [[320, 568], [360, 640], [390, 844], [768, 1024], [844, 390], [1280, 720], [1366, 768]];
const [SMALL, , PHONE, TABLET, LYING, , DESKTOP] = SCREENS;
// What `look` looks at. Axe takes most of the time, so without `--all` it sees every second page narrow and light, and the others
// wide and dark.
const LOOKS = all ? SCREENS.flatMap((screen) => [[screen, 'light'], [screen, 'dark']]) : [[SMALL, 'light'], [LYING, 'light'], [DESKTOP, 'dark']];
const read = (path) => readFile(join(site, path), 'utf8');
const names = async (folder) => (await readdir(join(site, folder))).filter((name) => name.endsWith('.html')).map((name) => `${folder}/${name}`);

// One page of each kind, and the longest game of each kind, preferably one with an evaluation.
const games = new Map(), running = [];
for (const path of await names('games')) {
  const text = await read(path);
  check(Buffer.byteLength(text) < 60_000, `${path} has ${Buffer.byteLength(text)} bytes`);
  check(!/1970-01|, 1970</.test(text), `${path} has a date in 1970`);
  const kind = text.match(/class="facts"><a href="\.\.\/([a-z-]+)\//)?.[1] ?? '?';
  const plies = Number(text.match(/data-steps="(\d+)"/)?.[1] ?? 0), isEvaluated = text.includes('class="evaluation"');
  const weight = plies + (isEvaluated ? 1000 : 0);
  if (weight >= (games.get(kind)?.weight ?? 0)) games.set(kind, { path, plies, weight, isEvaluated });
  check(/class="button main" href="https:/.test(text), `${path} has no main button`);
  if (text.includes('data-live=')) running.push(path);
}
const kinds = [...games.keys()];
const people = await names('players');
for (const path of [...people, ...(await names('results')), ...(await names('standings')), ...(await Promise.all(kinds.map(names))).flat(), 'index.html', '404.html']) {
  const text = await read(path);
  check(Buffer.byteLength(text) < 60_000, `${path} has ${Buffer.byteLength(text)} bytes`);
  check(!/1970-01|, 1970</.test(text), `${path} has a date in 1970`);
}
const busiest = (await Promise.all(people.map(async (path) => [path, (await read(path)).length])))
  .filter(([path]) => /\/\d+\.html$/.test(path)).sort((one, other) => other[1] - one[1])[0]?.[0];
const standings = (await names('standings')).filter((path) => !path.endsWith('index.html'));
const pair = people.find((path) => path.startsWith('players/versus-'));
const pages = ['index.html', 'results/index.html', 'players/index.html', 'standings/index.html', standings[0], busiest, pair, '404.html',
  ...kinds.map((kind) => `${kind}/index.html`), ...[...games.values()].map(({ path }) => path)].filter(Boolean);
console.log(`${pages.length} pages: ${pages.join(' ')}`);

async function open(path, options = {}) {
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
  const page = await context.newPage();
  page.on('pageerror', (error) => faults.push(`${path}: ${error.message}`));
  page.on('console', (message) => { if (message.type() === 'error' && path !== '404.html') faults.push(`${path}: ${message.text()}`); });
  page.on('dialog', (dialog) => { faults.push(`${path}: a dialog, ${dialog.message()}`); dialog.dismiss(); });
  page.on('request', (request) => check([top, 'data:', `blob:${top}`.slice(0, -base.length)].some((start) => request.url().startsWith(start)), `${path} asks for ${request.url()}`));
  await page.addInitScript(() => {
    window.shift = 0;
    new PerformanceObserver((list) => { for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shift += entry.value; })
      .observe({ type: 'layout-shift', buffered: true });
  });
  await page.goto(top + path, { waitUntil: 'networkidle' });
  return page;
}
const viewport = ([width, height]) => ({ viewport: { width, height } });
// Whether an element is inside the window from top to bottom, without scrolling.
const isOnScreen = (locator) => locator.evaluate((element) => {
  const { top, bottom, left, right } = element.getBoundingClientRect();
  return top >= 0 && bottom <= innerHeight + 1 && left >= 0 && right <= innerWidth + 1 && bottom > top;
});

let looked = 0;
async function look(path, javaScriptEnabled) {
  const page = await open(path, { javaScriptEnabled });
  if (javaScriptEnabled) await page.evaluate(axe);
  for (const [[width, height], colorScheme] of LOOKS) {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme });
    const what = `${path} at ${width} px, ${colorScheme}, script ${javaScriptEnabled ? 'on' : 'off'}`;
    if (javaScriptEnabled) {
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      check(wide <= 0, `${what}: ${wide} px too wide`);
      check(!(await page.evaluate(() => document.body.innerText.includes('<'))), `${what}: markup as text`);
      check(await page.evaluate(() => window.hostile === undefined), `${what}: a foreign script ran`);
      if (all || (pages.indexOf(path) % 2 ? colorScheme === 'dark' : width === SMALL[0])) {
        const { violations } = await page.evaluate(() => window.axe.run());
        for (const { id, nodes } of violations) faults.push(`${what}: axe says ${id}: ${nodes.map((node) => node.html.slice(0, 120)).join(' | ')}`);
      }
    } else if (path.startsWith('games/')) {
      check(await page.locator('.stage img').isVisible(), `${what}: no picture of the board`);
      check(await page.locator('.controls').isHidden(), `${what}: visible buttons that do nothing`);
    }
    if (shots) {
      await mkdir(shots, { recursive: true });
      const name = path.replaceAll('/', '-').replace('.html', '');
      await page.screenshot({ path: join(shots, `${name}-${width}-${colorScheme}${javaScriptEnabled ? '' : '-plain'}.png`), fullPage: !path.startsWith('games/') });
    }
    looked += 1;
  }
  await page.context().close();
}
// Runs a function for each item, two at a time: one page can work while another waits.
async function each(items, run) {
  const rest = [...items];
  await Promise.all([1, 2].map(async () => {
    for (let next = rest.shift(); next; next = rest.shift()) await run(...next);
  }));
}
await each(pages.flatMap((path) => (/^(games|index)/.test(path) ? [true, false] : [true]).map((script) => [path, script])), look);
const checkShift = async (page, what) => {
  const shift = await page.evaluate(() => window.shift);
  check(shift < 0.02, `${what}: layout shift ${shift.toFixed(3)} while it loads`);
};

// The board stays visible at 400 % and in a small frame, and the position is there in words, at each step.
await each(games, async (kind, { path, plies }) => {
  const page = await open(path, viewport([320, 200]));
  for (const [width, height] of [[320, 200], [427, 267], [480, 320], [640, 400]]) {
    await page.setViewportSize({ width, height });
    const box = await page.locator('.stage > svg').boundingBox();
    check(Math.min(box.width, box.height) >= 160, `${kind} at ${width}x${height}: the board has ${box.width} x ${box.height} pixels`);
    check((await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)) <= 0, `${kind} at ${width}x${height}: too wide`);
  }
  await page.evaluate(axe);
  for (const { id, nodes } of (await page.evaluate(() => window.axe.run())).violations) faults.push(`${kind} at 400 %: axe says ${id}: ${nodes[0].html.slice(0, 120)}`);
  const words = () => page.locator('#position').textContent(), seen = new Set();
  await page.setViewportSize({ width: 1280, height: 800 });
  for (let step = 0; step < Math.min(plies, 6); step += 1) {
    seen.add(await words());
    check((await page.getByText(await words(), { exact: true }).count()) === 1, `${kind}: the position isn't in the page's text`);
    await page.keyboard.press('ArrowLeft');
  }
  check(seen.size === Math.min(plies, 6), `${kind}: ${seen.size} descriptions of ${Math.min(plies, 6)} positions`);
  check((await page.locator('.player.turn').count()) === 1, `${kind}: not one side to move before the end`);
  const board = await page.locator('.stage > svg').boundingBox();
  if (['chess', 'othello'].includes(kind)) check(board.width > 600, `${kind} at 1280x800: the board is only ${board.width} pixels wide`);
  // Home scrolls, and all keys can be turned off.
  const at = () => page.evaluate(() => location.hash);
  let before = await at();
  await page.keyboard.press('Home');
  check((await at()) === before, `${kind}: Home doesn't only scroll`);
  await page.keyboard.press('?');
  await page.getByRole('checkbox', { name: 'Use these keys' }).uncheck();
  await page.getByRole('button', { name: 'Close' }).click();
  await page.reload({ waitUntil: 'networkidle' });
  before = await at();
  for (const key of ['ArrowLeft', 'f', 'c', '?', ' ']) await page.keyboard.press(key);
  check((await at()) === before && (await page.locator('dialog').count()) === 0, `${kind}: a key works although keys are off`);
  await page.context().close();
});
// Without the script, the link to a move marks the move, the board has words, and nothing moves by itself.
await each(games, async (kind, { path, plies }) => {
  const page = await open(`${path}#p${plies && 1}`, { javaScriptEnabled: false });
  check((await page.locator('.moves a:target').count()) === 1 || plies > 200, `${kind}: without script, no move is marked`);
  check((await page.locator('#position').textContent()).length > 20, `${kind}: without script, no position in words`);
  check(/\.board\.svg$/.test(await page.locator('.stage img').getAttribute('src')), `${kind}: without script, the picture moves`);
  await page.context().close();
});
// The replay on the home page plays on demand and can be stopped.
{
  const page = await open('index.html', { ...viewport(DESKTOP), reducedMotion: 'no-preference' });
  const source = () => page.locator('.featured img').getAttribute('src'), still = await source();
  check(/\.board\.svg$/.test(still), 'the replay on the home page begins by itself');
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  check(/\d\.svg#/.test(await source()), 'the replay on the home page doesn\'t play');
  await page.getByRole('button', { name: 'Stop' }).click();
  check((await source()).endsWith(still), 'the replay on the home page doesn\'t stop');
  await page.context().close();
}
// A piece glides from its square, unless the reader prefers less motion.
for (const reducedMotion of ['no-preference', 'reduce']) {
  const { path } = games.get('chess'), page = await open(path, { reducedMotion });
  await page.evaluate(() => { window.glides = 0; const { animate } = SVGElement.prototype; SVGElement.prototype.animate = function (...all) { window.glides += 1; return animate.apply(this, all); }; });
  for (let step = 0; step < 6; step += 1) await page.keyboard.press('ArrowLeft');
  const glides = await page.evaluate(() => window.glides);
  check(reducedMotion === 'reduce' ? glides === 0 : glides >= 4, `chess, ${reducedMotion}: ${glides} pieces glide in six moves`);
  await page.context().close();
}
// The time that is left stays true on an open page.
for (const path of running) {
  const deadline = (await read(path)).match(/class="left" datetime="([^"]+)"/)?.[1];
  if (!deadline) continue;
  const page = await open(path);
  await page.clock.install({ time: new Date(new Date(deadline) - 49.5 * 3600_000) });
  await page.reload({ waitUntil: 'networkidle' });
  const left = page.locator('.info time.left');
  check((await left.textContent()) === '2 days left', `${path}: ${await left.textContent()}, not 2 days left`);
  await page.clock.fastForward(2 * 3600_000);
  check((await left.textContent()) === '47 hours left', `${path}: ${await left.textContent()}, not 47 hours left`);
  await page.clock.fastForward(48 * 3600_000);
  check((await left.textContent()) === 'out of time', `${path}: ${await left.textContent()}, not out of time`);
  await page.context().close();
  break;
}
// Numbers in tables have no background, and names have the color of text.
for (const path of [...standings, busiest].filter(Boolean)) {
  const page = await open(path);
  const { filled, colored } = await page.evaluate(() => {
    const style = (selector, property) => [...document.querySelectorAll(selector)].map((element) => getComputedStyle(element)[property]);
    return { filled: style('td, th', 'backgroundColor').filter((color) => color !== 'rgba(0, 0, 0, 0)').length,
      colored: style('.ranking .name a', 'color').filter((color) => color !== getComputedStyle(document.body).color).length };
  });
  check(filled === 0 && colored === 0, `${path}: ${filled} filled cells, ${colored} colored names`);
  await page.context().close();
}

// Controls that overlap, that are cut off, that are smaller than a finger on a phone, or that break into two rows.
function crowding() {
  const found = [], boxes = [...document.querySelectorAll('.controls button, .tools button, .act > *')]
    .map((element) => [element.dataset.go ?? element.textContent, element.getBoundingClientRect()]).filter(([, box]) => box.width > 0);
  for (const [name, box] of boxes) {
    if (box.left < 0 || box.right > innerWidth) found.push(`${name} is cut off`);
    if (box.width < 38 || box.height < 36) found.push(`${name} has ${box.width} x ${box.height} pixels`);
    for (const [other, its] of boxes) {
      if (name < other && box.left < its.right && its.left < box.right && box.top < its.bottom && its.top < box.bottom) found.push(`${name} overlaps ${other}`);
    }
  }
  for (const row of ['.controls', '.tools']) {
    const tops = new Set([...document.querySelectorAll(`${row} button`)].map((button) => button.getBoundingClientRect()).filter(({ width }) => width > 0).map(({ top }) => top));
    if (tops.size > 1) found.push(`${row} breaks into ${tops.size} rows`);
  }
  return found;
}
// The first screen of a game has the board with its players, and the buttons. A link to a move shows the board, too.
await each(games, async (kind, { path, plies }) => {
  for (const [screen, hash] of [[PHONE, ''], [PHONE, `#p${Math.ceil(plies / 2)}`], [DESKTOP, `#p${plies}`]]) {
    const page = await open(path + hash, viewport(screen));
    await checkShift(page, `${kind}${hash}`);
    for (const [width, height] of all ? [screen, ...SCREENS.slice(1)] : [screen]) {
      await page.setViewportSize({ width, height });
      const what = `${kind}${hash} at ${width}x${height}`;
      check((await page.evaluate(() => scrollY)) === 0, `${what}: scrolled by itself`);
      check(await isOnScreen(page.locator('.stage > svg')), `${what}: the board isn't on the screen`);
      check(await isOnScreen(page.locator('.controls')), `${what}: the buttons aren't on the screen`);
      if (height !== 640) check(await isOnScreen(page.locator('.act .main')), `${what}: the main button isn't on the screen`);
      for (const fault of await page.evaluate(crowding)) faults.push(`${what}: ${fault}`);
    }
    if (hash) check((await page.locator('.moves [aria-current]').count()) === 1, `${kind}${hash}: not exactly one move is marked`);
    await page.context().close();
  }
});
for (const path of ['index.html', busiest].filter(Boolean)) {
  const page = await open(path, viewport(PHONE));
  await checkShift(page, path);
  await page.context().close();
}

// No step moves the page, and the board shows the better move before each mistake.
async function steps(page, kind, plies, isEvaluated) {
  await page.keyboard.press('Shift+ArrowLeft');
  const layout = () => page.evaluate(() => ['.controls', '.list', '.more'].map((part) => document.querySelector(part).getBoundingClientRect().top + scrollY).join());
  const before = await layout(), value = () => page.locator('.chart').getAttribute('aria-valuetext');
  for (let step = 0; step <= plies; step++) {
    if (step) await page.keyboard.press('ArrowRight');
    if ((await layout()) !== before) { faults.push(`${kind}: step ${step} moves the page`); break; }
    const { better, drawn } = await page.evaluate((step) => {
      const links = [...document.querySelectorAll('.moves a')];
      return { better: links[step]?.dataset.better, drawn: document.querySelectorAll('.stage > svg [class^="b"]').length };
    }, step);
    check(drawn === (better && !/^(roll|double|take|drop)$/.test(better) ? 1 : 0), `${kind}: ${drawn} better moves on the board at step ${step}, where ${better} was better`);
    check(!better || (await page.locator('.where').textContent()).includes(better), `${kind}: step ${step} doesn't name ${better}`);
    if (isEvaluated) check(/\d%/.test(await value()), `${kind}: the chart says ${await value()} at step ${step}`);
  }
  if (!isEvaluated) return;
  // The chart by keyboard and under the pointer.
  await page.locator('.chart').focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowRight');
  check((await page.locator('.chart').getAttribute('aria-valuenow')) === '1', `${kind}: the chart doesn't follow the keyboard`);
  const box = await page.locator('.chart').boundingBox();
  await page.mouse.move(box.x + box.width - 1, box.y + 20);
  check(/\d%$/.test(await page.locator('.value').textContent()), `${kind}: no value under the pointer`);
  check((await page.locator('.value').textContent()) !== (await value()), `${kind}: the value doesn't follow the pointer`);
  await page.mouse.move(0, 0);
  // A tap on a mistake shows the board with the better move.
  const mistake = page.locator('.mistakes a').first();
  if (await mistake.count()) {
    await mistake.scrollIntoViewIfNeeded();
    await mistake.tap();
    await page.waitForTimeout(100);
    check(await isOnScreen(page.locator('.stage > svg')), `${kind}: a tap on a mistake leaves the board out of sight`);
    check(/^Better: /.test(await page.locator('.where span').last().textContent()), `${kind}: a tap on a mistake doesn't show the better move`);
  }
}

// The board at every ply: buttons, keys, the list, the chart, a finger.
await each(games, async (kind, { path, plies, isEvaluated }) => {
  if (plies < 3) return;
  const page = await open(path, { ...viewport(PHONE), hasTouch: true });
  // All pages share one clipboard.
  await page.evaluate(() => { navigator.clipboard.writeText = async (text) => { window.copied = text; }; });
  const shown = () => page.locator('.stage > svg').evaluate((svg) => [...svg.querySelectorAll('[class]')].map((shape) => shape.outerHTML).sort().join());
  const button = (name) => page.getByRole('button', { name, exact: true });
  const where = () => page.locator('.where').textContent();
  const at = async (ply, how) => {
    const hash = hashes[ply];
    await page.waitForFunction((hash) => location.hash === hash, hash, { timeout: 5000 }).catch(() => {});
    check(new URL(page.url()).hash === hash, `${kind}, ${how}: at ${new URL(page.url()).hash}, not at ${hash}`);
    return shown();
  };
  const hashes = await page.locator('.moves a').evaluateAll((links) => ['#p0', ...links.map((link) => link.hash)]);
  check(hashes.length === plies + 1, `${kind}: ${hashes.length - 1} links for ${plies} steps`);
  const end = await shown();
  await button('Previous move').click();
  const before = await at(plies - 1, 'the button back');
  check(before !== end, `${kind}: the board doesn't change`);
  await button('First position').click();
  const start = await at(0, 'the button to the start');
  await page.keyboard.press('ArrowRight');
  check((await at(1, 'the right key')) !== start, `${kind}: no move was played at move 1`);
  if (['chess', 'checkers'].includes(kind)) {
    await page.keyboard.press('ArrowRight');
    await at(2, 'the right key');
    check(/^1\.\.\. \S+ · 2\//.test(await where()), `${kind}: move 2 is called ${await where()}`);
    // At an open table, each move has a line with its player.
    const perLine = (await page.locator('.moves.lines').count()) ? 1 : 2;
    check((await page.locator('.moves li').first().locator('a').count()) === perLine, `${kind}: the list doesn't have ${perLine} moves in a line`);
  }
  await page.keyboard.press('Shift+ArrowRight');
  check((await at(plies, 'Shift and the right key')) === end, `${kind}: another end`);
  await page.keyboard.press('Shift+ArrowLeft');
  check((await at(0, 'Shift and the left key')) === start, `${kind}: another start`);
  // After a tap on a move, the board is still visible.
  await page.locator('.moves').scrollIntoViewIfNeeded();
  await page.locator(`.moves a[href="${hashes[plies]}"]`).tap();
  check((await at(plies, 'the list')) === end, `${kind}: another end by the list`);
  check(await page.locator('.stage > svg').evaluate((svg) => svg.getBoundingClientRect().bottom > 200), `${kind}: the board is out of sight after a tap on a move`);
  check(await page.locator('.moves').evaluate((list) => list.clientHeight < 200), `${kind}: the list of moves is long on a phone`);
  check(await page.locator('.moves a').evaluateAll((links) => links.every((link) => link.getBoundingClientRect().height >= 28)), `${kind}: links to moves are too low for a finger`);
  check(await page.locator('.controls').evaluate((row) => getComputedStyle(row).position) === 'sticky', `${kind}: the buttons don't stay on a phone's screen`);
  // Play and pause, four times as fast.
  await button('First position').click();
  await button('Speed 1×').click();
  await button('Speed 2×').click();
  await button('Play').click();
  // A busy machine may skip steps before the test sees them.
  await page.waitForFunction((early) => !early.includes(location.hash), hashes.slice(0, 2), { timeout: 5000 }).catch(() => faults.push(`${kind}: doesn't play`));
  await button('Pause').click();
  check(await button('Play').isVisible(), `${kind}: no button Play after a pause`);
  if (await button('Flip the board').count()) {
    const unturned = await shown();
    await button('Flip the board').click();
    await page.waitForTimeout(300);
    check((await shown()) !== unturned, `${kind}: the board doesn't turn`);
    await button('Flip the board').click();
    await page.waitForTimeout(300);
    check((await shown()) === unturned, `${kind}: the board doesn't turn back`);
  }
  await button('Copy a link to this move').click();
  await page.waitForTimeout(100);
  check((await where()) === 'Copied', `${kind}: after Copy it says ${await where()}`);
  check((await page.evaluate(() => window.copied)) === page.url(), `${kind}: another link was copied`);
  await button('Copy Markdown for a README').click();
  await page.waitForFunction(() => document.querySelector('.sharing [role="status"]').textContent === 'Copied', null, { timeout: 2000 }).catch(() => {});
  const markdown = /^\[!\[.+\]\(http.+\.svg\)\]\((http.+\.html.*)\)$/.exec(await page.evaluate(() => window.copied));
  check(markdown?.[1] === page.url(), `${kind}: the Markdown is ${await page.evaluate(() => window.copied)}`);
  const [download] = await Promise.all([page.waitForEvent('download', { timeout: 5000 }).catch(() => null), button('Save this board as PNG').click()]);
  const bytes = download && await readFile(await download.path());
  check(bytes?.subarray(1, 4).toString() === 'PNG' && bytes.readUInt32BE(16) === 1000, `${kind}: no picture 1,000 px wide was saved`);
  if (isEvaluated) {
    await page.locator('.chances').click({ position: { x: 0, y: 20 } });
    await at(0, 'the chart');
    check(/\d%$/.test(await where()), `${kind}: no chance beside ${await where()}`);
  }
  await steps(page, kind, plies, isEvaluated);
  await page.keyboard.press('Shift+ArrowLeft');
  await button('Last position').click();
  await at(plies, 'the button to the end');
  await page.evaluate(() => scrollTo(0, 0));
  const box = await page.locator('.stage > svg').boundingBox();
  const swipe = (from, to) => page.evaluate(([from, to, y]) => {
    const target = document.querySelector('.stage > svg');
    const finger = (x) => new Touch({ identifier: 1, target, clientX: x, clientY: y });
    target.dispatchEvent(new TouchEvent('touchstart', { bubbles: true, touches: [finger(from)], changedTouches: [finger(from)] }));
    target.dispatchEvent(new TouchEvent('touchend', { bubbles: true, touches: [], changedTouches: [finger(to)] }));
  }, [from, to, box.y + 50]);
  await swipe(100, 250);
  check((await at(plies - 1, 'a finger to the right')) === before, `${kind}: another board by finger`);
  await swipe(250, 100);
  await at(plies, 'a finger to the left');
  // A printed page has all moves and no buttons.
  await page.emulateMedia({ media: 'print' });
  check(await page.locator('.controls').isHidden(), `${kind}: buttons on paper`);
  check(await page.locator('.moves').evaluate((list) => list.scrollHeight <= list.clientHeight + 1), `${kind}: moves are cut off on paper`);
  await page.context().close();
});

// The keyboard alone: focus stays on a button at the end, a list of shortcuts, and one tab stop for all moves.
await each(games, async (kind, { path, plies }) => {
  const page = await open(path, viewport(DESKTOP));
  await page.locator('[data-go="back"]').focus();
  await page.locator('[data-go="on"]').focus();
  await page.keyboard.press('Shift+ArrowRight');
  check(await page.evaluate(() => document.activeElement.dataset.go === 'on'), `${kind}: the end takes the focus`);
  check((await page.locator('.moves a').evaluateAll((links) => links.filter((link) => link.tabIndex === 0).length)) <= 1, `${kind}: every move is a tab stop`);
  const at = await page.evaluate(() => scrollY);
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press('Shift+ArrowLeft');
  await page.keyboard.press(' ');
  check((await page.locator('[data-go="play"]').getAttribute('aria-label')) === 'Pause' || plies < 2, `${kind}: space doesn't play`);
  await page.keyboard.press(' ');
  check((await page.evaluate(() => scrollY)) === at, `${kind}: space scrolls`);
  await page.keyboard.press('?');
  check(await page.locator('dialog').isVisible(), `${kind}: no list of shortcuts`);
  await page.keyboard.press('Escape');
  check(await page.locator('dialog').isHidden(), `${kind}: the list of shortcuts stays`);
  await page.emulateMedia({ forcedColors: 'active' });
  check(await page.locator('.controls').isVisible(), `${kind}: no buttons in forced colors`);
  await page.context().close();
});

// A running game refreshes itself: the reader of the last move follows, the reader of an earlier move is told.
for (const path of running.slice(0, 2)) {
  for (const isEarlier of [false, true]) {
    const original = await read(path), steps = Number(original.match(/data-steps="(\d+)"/)[1]);
    const page = await open(path);
    if (isEarlier) await page.keyboard.press('Shift+ArrowLeft');
    await page.clock.install();
    await page.reload({ waitUntil: 'networkidle' });
    if (isEarlier) await page.keyboard.press('Shift+ArrowLeft');
    await page.evaluate(() => { window.same = true; });
    const link = original.match(/<a href="#p\d+"[^]*?<\/a> /g)?.at(-1) ?? '';
    const now = original.match(/data-now="([^"]+)"/)[1];
    const next = original.replace(/data-steps="\d+"/, `data-steps="${steps + 1}"`).replace(now, `${now}1`).replace('</ol>', `<li><b>99.</b>${link.replace(/#p\d+/, '#p999')}</li></ol>`);
    await page.route('**/*.now.json', (route) => route.fulfill({ body: `${now}1` }));
    await page.route(`**/${path}`, (route) => route.fulfill({ body: next, contentType: 'text/html' }));
    await page.clock.runFor(61_000);
    await page.waitForTimeout(300);
    check(await page.evaluate(() => window.same), `${path}: reloads`);
    const where = await page.locator('.where').textContent();
    if (isEarlier) {
      check(where.startsWith('Start'), `${path}: a reader of the start is moved to ${where}`);
      await page.locator('.news').click({ timeout: 3000 }).catch(() => faults.push(`${path}: a reader of the start isn't told of the new move`));
    }
    check(/^99\. /.test(await page.locator('.where').textContent()), `${path}: doesn't show the new move: ${await page.locator('.where').textContent()}`);
    check((await page.locator('.news').count()) === 0, `${path}: still tells of a new move`);
    await page.context().close();
  }
}
check(running.length > 0, 'no running game');

// Backgammon lists automatic turns, and its ending says only how the game ended.
if (games.has('backgammon')) {
  const text = await read(games.get('backgammon').path);
  check(/href="#p\d+a"/.test(text), 'backgammon: no automatic turn in the longest game');
  check(!/(description" content|class="ending")[^<]*only one legal play/.test(text), 'backgammon: the ending describes an automatic turn');
}

// From the front page to the games of a kind, a game, its neighbor, and a player, by links alone.
const walk = await open('index.html', viewport(DESKTOP));
check((await walk.locator('.featured img[src$=".svg"]').count()) === 1, 'the front page has no replay');
check((await walk.locator('.card img, .row img').count()) > 0, 'the front page has no boards');
check(await isOnScreen(walk.locator('.card img, .featured img').first()), 'the front page begins without a board');
await walk.locator('.chips a').nth(3).click();
await walk.waitForURL(/\/chess\/index\.html/);
const game = walk.locator('main .cover').first();
if (await game.count()) {
  await game.click();
  await walk.waitForURL(/games\//);
  const neighbor = walk.locator('.near a[rel]:visible').first();
  if (await neighbor.count()) {
    const from = walk.url();
    await neighbor.click();
    await walk.waitForURL((url) => url.href !== from);
    check((await walk.locator('.facts a').getAttribute('href')) === '../chess/index.html', 'the neighbor of a game of chess is another game');
  }
  const player = walk.locator('.player a[href*="players/"]').first();
  if (await player.count()) {
    await player.click();
    await walk.waitForURL(/players\//);
  }
  await walk.locator('nav .home').click();
  await walk.waitForURL(/index\.html/);
}
await walk.context().close();

// Lists on a phone: scores, dates, turns, and ratings are on the screen.
for (const [path, selectors] of [['index.html', ['.row .score', '.row .when', '.cards > :first-child .turn']], ['results/index.html', ['.row .score', '.row .when']], [standings[0], ['.rating']]]) {
  if (!path) continue;
  const page = await open(path, viewport(SMALL));
  for (const selector of selectors) {
    const last = await page.locator(selector).evaluateAll((all) => all.map((one) => one.getBoundingClientRect()).every(({ left, right }) => left >= 0 && right <= innerWidth));
    check(last, `${path} at 320 px: ${selector} is out of sight`);
  }
  for (const time of await page.locator('time.ago').all()) {
    check(/ago|now|this|20\d\d/.test(await time.textContent()), `${path}: a turn began ${await time.textContent()}`);
  }
  await page.context().close();
}

// The player search.
const index = await open('players/index.html');
const anyone = index.locator('#all a').first();
if (await anyone.count()) {
  const name = await anyone.textContent();
  await index.locator('#search').fill(name.slice(0, 4).toUpperCase());
  await index.locator('#found a').first().waitFor({ timeout: 3000 }).catch(() => {});
  check((await index.locator('#found a').allTextContents()).includes(name), `the search doesn't find ${name}`);
  const first = index.locator('#found a').first();
  await first.click();
  await index.waitForURL(/players\/\d+\.html/);
  await index.goBack();
  await index.locator('#found a').first().waitFor({ timeout: 3000 }).catch(() => {});
  check((await index.locator('#search').inputValue()) === name.slice(0, 4).toUpperCase(), 'the search forgets its text after going back');
  const target = await index.locator('#found a').first().getAttribute('href');
  await index.locator('#search').press('Enter');
  await index.waitForURL(/players\/\d+\.html/, { timeout: 3000 }).catch(() => {});
  check(index.url().endsWith(target?.replace('..', '') ?? '?'), 'Enter opens another page than the first player found');
  await index.goBack();
  await index.locator('#search').fill('no such name');
  await index.waitForTimeout(200);
  check((await index.locator('#found a').count()) === 0, 'the search finds somebody who has not played');
}
await index.context().close();

// The results filter works by game, keeps its query in the URL, and opens from a page of two players.
const results = await open('results/index.html', viewport(SCREENS[0]));
const listed = async () => (await results.locator('#found .row').count()) > 0;
if (await results.locator('.filter').count()) {
  check((await results.evaluate(() => window.shift)) < 0.02, 'the results shift while they load');
  const option = results.locator('.filter [name="game"] option').nth(1);
  const game = await option.getAttribute('value'), title = await option.textContent();
  await results.locator('.filter [name="game"]').selectOption(game);
  await results.locator('#found .row').first().waitFor({ timeout: 3000 }).catch(() => {});
  check(new URL(results.url()).search === `?game=${game}`, `the address of the filter is ${results.url()}`);
  for (const cover of await results.locator('#found .cover').allTextContents()) check(cover === title || game === 'tic-tac-toe', `a game of ${cover} among those of ${title}`);
  check(await results.locator('#all').isHidden(), 'all results are listed below those found');
  await results.reload();
  await results.locator('#found .row').first().waitFor({ timeout: 3000 }).catch(() => {});
  check(await listed(), 'the filter forgets its game after a reload');
  check((await results.evaluate(() => document.documentElement.scrollWidth - innerWidth)) <= 0, 'the filtered results are too wide');
  await results.evaluate(axe);
  for (const { id, nodes } of (await results.evaluate(() => window.axe.run())).violations) faults.push(`filtered results: axe says ${id}: ${nodes[0].html.slice(0, 120)}`);
  await results.getByRole('button', { name: 'Clear' }).click();
  check(await results.locator('#all').isVisible(), 'clearing the filter lists no results');
}
if (pair) {
  // A player's score leads to the page of the two, with the same number of games.
  await results.goto(top + busiest, { waitUntil: 'networkidle' });
  const score = results.locator('a.result[href*="versus-"]').first();
  const games = (await score.textContent()).match(/\d+/g).map(Number).reduce((sum, number) => sum + number);
  await score.click();
  await results.waitForURL(/players\/versus-/);
  const facts = await results.locator('.facts').first().textContent();
  check(new RegExp(`^${games} games · \\S+ won \\d+, \\S+ won \\d+(, [1-9]\\d* drawn)?$`).test(facts), `a score of ${games} games leads to: ${facts}`);
  await results.locator('a[href*="against="]').click();
  await results.locator('#found .row').first().waitFor({ timeout: 3000 }).catch(() => {});
  const said = await results.locator('#said').textContent();
  check(Number(said.match(/\d+/)?.[0] ?? 0) >= games && /: \S+ won \d+, lost \d+/.test(said), `the filter finds ${said} of ${games} games`);
}
await results.context().close();
// A link to the filter hides the list of all results before the script has run.
if (busiest) {
  const page = await (await browser.newContext()).newPage();
  await page.route('**/find.js', (route) => route.abort());
  await page.goto(`${top}results/index.html?player=nobody#found`);
  check(await page.locator('#all').isHidden(), 'a link to the filter shows all results at first');
  await page.goto(`${top}results/index.html`);
  check(await page.locator('#all').isVisible(), 'without a query, no results');
  await page.context().close();
}

await browser.close();
server.close();
console.log(`${looked} looks, ${games.size} games played through, ${faults.length} faults`);
for (const fault of [...new Set(faults)].slice(0, 60)) console.log(`FAULT: ${fault}`);
process.exit(faults.length ? 1 : 0);
