// What `clicked.sh` does in the browser: `node clicked.mjs DIR [NAME]`, with the pages of `--example clicked` in DIR.
import { execSync } from 'node:child_process'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import puppeteer from 'puppeteer-core'
import sanitize from 'sanitize-html'

const [dir, wanted = ''] = process.argv.slice(2)
const css = readFileSync(createRequire(import.meta.url).resolve('github-markdown-css/github-markdown.css'), 'utf8')
const prefix = 'https://github.example/host/games/'

// The list of https://github.com/gjtorikian/html-pipeline, which github/markup's README names: no style, no class, no id.
const elements = `h1 h2 h3 h4 h5 h6 br b i strong em a pre code img tt div ins del sup sub p picture ol ul table thead tbody
  tfoot blockquote dl dt dd kbd q samp var hr ruby rt rp li tr td th s strike summary details caption figure figcaption abbr
  bdo cite dfn mark small source span time wbr`.split(/\s+/)
const attributes = `abbr accept accept-charset accesskey action align alt aria-describedby aria-hidden aria-label
  aria-labelledby axis border char charoff charset checked clear cols colspan compact coords datetime dir disabled enctype for
  frame headers height hreflang hspace id ismap label lang maxlength media method multiple name nohref noshade nowrap open
  progress prompt readonly rel rev role rows rowspan rules scope selected shape size span start summary tabindex title type
  usemap valign value width itemprop`.split(/\s+/)

// Names get a prefix, and a picture without a link becomes one to itself.
function github(html) {
  const named = (tagName, attribs) => {
    for (const key of ['id', 'name']) if (attribs[key]) attribs[key] = `user-content-${attribs[key]}`
    return { tagName, attribs }
  }
  return sanitize(html, {
    allowedTags: elements,
    allowedAttributes: { '*': attributes, a: ['href'], img: ['src', 'longdesc', 'loading', 'alt'], source: ['srcset'] },
    allowedSchemes: ['http', 'https', 'mailto'],
    transformTags: { a: named, details: named },
  })
}

function html(name) {
  const body = github(readFileSync(`${dir}/${name}.html`, 'utf8'))
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${name}</title>
    <style>${css}</style><style>body{margin:0}.markdown-body{padding:16px;max-width:1012px;margin:0 auto}</style>
    <article class="markdown-body">${body}</article></html>`
}

// Everything that can be measured about the boards of a page.
function measure() {
  const faults = []
  const root = document.documentElement
  if (root.scrollWidth > innerWidth) faults.push(`the page is ${root.scrollWidth} px wide`)
  const boards = [...document.querySelectorAll('table')].filter((table) => table.querySelector('sub img'))
  const notes = boards.map((table) => {
    if (table.scrollWidth > table.clientWidth) faults.push('a board has to be scrolled')
    const rows = []
    for (const image of table.querySelectorAll('img')) {
      if (!image.complete || image.naturalWidth === 0) faults.push(`${image.src} is not there`)
      const box = image.getBoundingClientRect()
      const row = rows.at(-1)
      if (row && Math.abs(row[0].top - box.top) < 1) row.push(box)
      else rows.push([box])
    }
    const gaps = []
    rows.forEach((row, at) => {
      for (let next = 1; next < row.length; next++) gaps.push(row[next].left - row[next - 1].right)
      if (at > 0) gaps.push(row[0].top - rows[at - 1][0].bottom)
      if (Math.abs(row.at(-1).right - rows[0].at(-1).right) > 1) faults.push(`row ${at} ends elsewhere`)
    })
    const widest = Math.max(...gaps.map(Math.abs))
    if (widest >= 0.5) faults.push(`a gap of ${widest} px`)
    const cell = rows.at(Math.floor(rows.length / 2))[1]
    return `${rows.length} rows, cells of ${cell.width.toFixed(1)} px, gaps below ${widest.toFixed(3)} px`
  })
  if (document.querySelector('[style],[class]:not(.markdown-body),script')) faults.push('style, class or script')
  return { faults, notes }
}

// Clicks the first piece or cell that is a link, and what unfolds then; says where that leads.
async function click(page, shot) {
  const way = []
  const link = await page.$('table sub a[href]')
  if (!link) return 'nothing to click on the board'
  const said = await link.$eval('img', (image) => image.alt)
  const href = await link.evaluate((a) => a.getAttribute('href'))
  if (href.startsWith('#')) {
    if (await page.$('details[open]')) throw new Error('something is open before the click')
    await link.click()
    const details = await page.waitForSelector('details[open]', { timeout: 3000 })
    const seen = await details.$eval('p', (p) => [p.innerText, p.getBoundingClientRect().top])
    way.push(`“${said}” unfolds “${seen[0]}” at ${Math.round(seen[1])} px`)
    await page.screenshot({ path: shot })
    await (await details.$('a[href^="#"]')).click()
    const top = await link.evaluate((a) => a.getBoundingClientRect().top)
    if (top < 0 || top > 800) throw new Error(`back at the board its first piece is at ${top} px`)
    const others = await page.$$('table sub a[href]')
    await others.at(-1).click()
    await new Promise((done) => setTimeout(done, 100))
    const open = await page.$$('details[open]')
    if (open.length !== 1) throw new Error(`${open.length} are open`)
    const move = await open[0].$('p a[href]')
    const going = page.waitForRequest((request) => request.url().includes('/issues/new'), { timeout: 3000 })
    await move.click()
    way.push(`a move leads to ${decodeURIComponent((await going).url().split('?')[1])}`)
  } else {
    const going = page.waitForRequest((request) => request.url().includes('/issues/new'), { timeout: 3000 })
    await link.click()
    way.push(`“${said}” leads to ${decodeURIComponent((await going).url().split('?')[1])}`)
  }
  return way.join('; ').replaceAll('\n', ' / ')
}

const executablePath = process.env.CHROMIUM ?? execSync('command -v chromium').toString().trim()
const browser = await puppeteer.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'], headless: true })
const names = readdirSync(dir).filter((file) => file.endsWith('.html')).map((file) => file.slice(0, -5))
let failed = false
for (const name of names.filter((name) => name.startsWith(wanted))) {
  for (const scheme of ['light', 'dark']) {
    for (const width of [900, 320]) {
      const page = await browser.newPage()
      await page.setViewport({ width, height: 800, deviceScaleFactor: width < 500 ? 2 : 1 })
      await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }])
      await page.setRequestInterception(true)
      page.on('request', (request) => {
        const url = new URL(request.url())
        const file = `${dir}/${name}/${url.pathname.replace(/^\/host\/games\/(blob|raw)\/HEAD\//, '')}`
        if (request.url() === `${prefix}page`) request.respond({ contentType: 'text/html', body: html(name) })
        else if (existsSync(file)) request.respond({ contentType: 'image/svg+xml', body: readFileSync(file) })
        else request.respond({ status: 404, contentType: 'text/html', body: '<p>A form for a new issue.' })
      })
      await page.goto(`${prefix}page`, { waitUntil: 'networkidle0' })
      const { faults, notes } = await page.evaluate(measure)
      await page.screenshot({ path: `${dir}/${name}-${scheme}-${width}.png`, fullPage: true })
      const way = scheme === 'light' ? await click(page, `${dir}/${name}-unfolded-${width}.png`).catch((error) => faults.push(error.message) && 'stuck') : ''
      console.log(`${name}, ${scheme}, ${width} px: ${notes.join('; ') || 'no board to click'}${way && `\n    ${way}`}`)
      for (const fault of faults) console.log(`    FAULT: ${fault}`)
      failed ||= faults.length > 0
      await page.close()
    }
  }
}
await browser.close()
process.exitCode = failed ? 1 : 0
