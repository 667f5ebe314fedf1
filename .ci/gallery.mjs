// Clicks through a website of games in a real browser: node .ci/gallery.mjs SITE [--shots FOLDER]
//
// Every kind of page, with a script and without, by day and by night, on a phone and on a desk; axe-core looks at each. The site
// may be made of hostile records: whatever a page does that it should not (a script that runs, a request that leaves) is a fault.
import { createServer } from 'node:http';
import { readFile, readdir, mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { extname, join, normalize } from 'node:path';
import { chromium } from 'playwright-core';

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const [site, flag, shots] = process.argv.slice(2);
const types = { '.html': 'text/html', '.css': 'text/css', '.js': 'text/javascript', '.svg': 'image/svg+xml', '.json': 'application/json', '.xml': 'application/atom+xml' };
// The 404 page links to the root of the published site.
const base = (await readFile(join(site, 'index.html'), 'utf8')).match(/rel="canonical" href="https?:\/\/[^/]+(\/[^"]*?)index.html"/)?.[1] ?? '/';
const server = createServer(async (request, response) => {
  const asked = normalize(decodeURIComponent(new URL(request.url, 'http://site').pathname));
  const path = asked.startsWith(base) ? asked.slice(base.length) : 'nowhere';
  const file = join(site, path === '' || path.endsWith('/') ? `${path}index.html` : path);
  const found = await readFile(file).catch(() => null);
  response.writeHead(found ? 200 : 404, { 'content-type': `${types[extname(file)] ?? 'text/plain'}; charset=utf-8` });
  response.end(found ?? (await readFile(join(site, '404.html'))));
}).listen(0, '127.0.0.1');
await new Promise((ready) => server.once('listening', ready));
const top = `http://127.0.0.1:${server.address().port}${base}`;

const faults = [];
const check = (right, what) => { if (!right) faults.push(what); };
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] });

// One page of each kind, and of each game the longest.
const names = async (folder) => (await readdir(join(site, folder))).filter((name) => name.endsWith('.html')).map((name) => `${folder}/${name}`);
const games = new Map();
for (const path of await names('games')) {
  const text = await readFile(join(site, path), 'utf8');
  check(Buffer.byteLength(text) < 60_000, `${path} has ${Buffer.byteLength(text)} bytes`);
  const kind = text.match(/<h1>([^:<]*)/)?.[1] ?? '?';
  const plies = Number(text.match(/data-plies="(\d+)"/)?.[1] ?? 0) + (text.includes('class="evaluation"') ? 1000 : 0);
  if (plies >= (games.get(kind)?.plies ?? 0)) games.set(kind, { path, plies });
}
const people = await names('players');
for (const path of [...people, ...(await names('results')), ...(await names('standings')), 'index.html', '404.html']) {
  const size = (await readFile(join(site, path))).length;
  check(size < 60_000, `${path} has ${size} bytes`);
}
const busiest = (await Promise.all(people.map(async (path) => [path, (await readFile(join(site, path))).length])))
  .filter(([path]) => /\/\d+\.html$/.test(path)).sort((one, other) => other[1] - one[1])[0]?.[0];
const standings = (await names('standings')).filter((path) => !path.endsWith('index.html'));
const pages = ['index.html', 'results/index.html', 'players/index.html', 'standings/index.html', standings[0], busiest, '404.html',
  ...[...games.values()].map(({ path }) => path)].filter(Boolean);
console.log(`${pages.length} pages: ${pages.join(' ')}`);

async function open(options, path) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  page.on('pageerror', (error) => faults.push(`${path}: ${error.message}`));
  page.on('console', (said) => { if (said.type() === 'error' && !said.text().includes('404')) faults.push(`${path}: ${said.text()}`); });
  page.on('dialog', (dialog) => { faults.push(`${path}: a dialog, ${dialog.message()}`); dialog.dismiss(); });
  page.on('request', (request) => check(request.url().startsWith(top) || request.url().startsWith('data:'), `${path} asks for ${request.url()}`));
  await page.goto(top + path, { waitUntil: 'networkidle' });
  return page;
}

let looked = 0;
async function look(path, javaScriptEnabled) {
  const page = await open({ javaScriptEnabled, reducedMotion: 'reduce' }, path);
  if (javaScriptEnabled) await page.evaluate(axe);
  for (const width of [320, 1280]) {
    await page.setViewportSize({ width, height: width === 320 ? 640 : 900 });
    for (const colorScheme of ['light', 'dark']) {
      await page.emulateMedia({ colorScheme });
      const what = `${path} at ${width} px, ${colorScheme}, script ${javaScriptEnabled ? 'on' : 'off'}`;
      if (javaScriptEnabled) {
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
        check(wide <= 0, `${what}: ${wide} px too wide`);
        check(await page.evaluate(() => window.hostile === undefined), `${what}: a foreign script ran`);
        const { violations } = await page.evaluate(() => window.axe.run());
        for (const { id, nodes } of violations) faults.push(`${what}: axe says ${id}: ${nodes.map((node) => node.html.slice(0, 120)).join(' | ')}`);
      } else if (path.startsWith('games/')) {
        const picture = page.locator('.board img');
        check(await picture.isVisible(), `${what}: no picture of the board`);
        check(await page.locator('.controls').isHidden(), `${what}: visible buttons that do nothing`);
      }
      if (shots && (javaScriptEnabled || path.startsWith('games/'))) {
        await mkdir(shots, { recursive: true });
        const name = path.replaceAll('/', '-').replace('.html', '');
        await page.screenshot({ path: join(shots, `${name}-${width}-${colorScheme}${javaScriptEnabled ? '' : '-plain'}.png`), fullPage: true });
      }
      looked += 1;
    }
  }
  await page.context().close();
}

// A page is asked for once, and its window made wider and darker. While it waits for half a second without a request, another looks.
const looks = pages.flatMap((path) => (/^(games|index)/.test(path) ? [true, false] : [true]).map((script) => [path, script]));
await Promise.all([1, 2].map(async () => {
  for (let next = looks.shift(); next; next = looks.shift()) await look(...next);
}));

// The board at every ply: buttons, keys, the list, a link that is shared, a finger.
for (const [kind, { path }] of games) {
  const page = await open({ viewport: { width: 390, height: 800 }, hasTouch: true }, path);
  const plies = Number(await page.locator('[data-plies]').first().getAttribute('data-plies'));
  if (plies < 3) continue;
  const shown = () => page.locator('.board > svg').evaluate((svg) => [...svg.querySelectorAll('[visibility="visible"]')].map((shape) => shape.outerHTML).join());
  const at = async (ply, how) => {
    await page.waitForFunction((ply) => location.hash === `#p${ply}`, ply, { timeout: 3000 }).catch(() => {});
    check(new URL(page.url()).hash === `#p${ply}`, `${kind}, ${how}: at ${new URL(page.url()).hash}, not at move ${ply}`);
    return shown();
  };
  const end = await shown();
  await page.getByRole('button', { name: 'Previous move' }).click();
  const before = await at(plies - 1, 'the button back');
  check(before !== end, `${kind}: the board doesn't change`);
  await page.getByRole('button', { name: 'First position' }).click();
  const start = await at(0, 'the button to the start');
  await page.keyboard.press('ArrowRight');
  const one = await at(1, 'the right key');
  check(one !== start, `${kind}: no move was played at move 1`);
  await page.keyboard.press('End');
  check((await at(plies, 'the key End')) === end, `${kind}: another end`);
  await page.keyboard.press('Home');
  check((await at(0, 'the key Home')) === start, `${kind}: another start`);
  await page.locator(`#p${plies} a`).click();
  check((await at(plies, 'the list')) === end, `${kind}: another end by the list`);
  const box = await page.locator('.board > svg').boundingBox();
  const touch = (from, to) => page.evaluate(([from, to, y]) => {
    const target = document.querySelector('.board > svg');
    const finger = (x) => new Touch({ identifier: 1, target, clientX: x, clientY: y });
    target.dispatchEvent(new TouchEvent('touchstart', { bubbles: true, touches: [finger(from)], changedTouches: [finger(from)] }));
    target.dispatchEvent(new TouchEvent('touchend', { bubbles: true, touches: [], changedTouches: [finger(to)] }));
  }, [from, to, box.y + 50]);
  await touch(100, 250);
  check((await at(plies - 1, 'a finger to the right')) === before, `${kind}: another board by finger`);
  await touch(250, 100);
  await at(plies, 'a finger to the left');
  const shared = await open({}, `${path}#p1`);
  check((await shared.locator('.where').textContent()).startsWith('Move 1 of'), `${kind}: a shared link leads elsewhere`);
  await shared.context().close();
  await page.context().close();
}

// From the first page to a game and a player, by links alone.
const walk = await open({}, 'index.html');
const first = walk.locator('main table a[href^="games/"]').first();
if (await first.count()) {
  await first.click();
  await walk.waitForURL(/games\//);
  const player = walk.locator('main a[href*="players/"]').first();
  if (await player.count()) {
    await player.click();
    await walk.waitForURL(/players\//);
  }
  await walk.locator('nav .home').click();
  await walk.waitForURL(/index\.html/);
}
await walk.context().close();

await browser.close();
server.close();
console.log(`${looked} looks, ${games.size} games played through, ${faults.length} faults`);
for (const fault of [...new Set(faults)].slice(0, 60)) console.log(`FAULT: ${fault}`);
process.exit(faults.length ? 1 : 0);
