import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { AxeResults, RunOptions } from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import t from 'tap'
import { noBrowser, startBrowser } from '../fixtures/browser.js'
import { startTestServer } from '../fixtures/server-process.js'

const AXE = fileURLToPath(import.meta.resolve('axe-core/axe.min.js'))
/** One of each kind, because checking every collapsed section takes long. */
const FOLDS = '#createEvent details, #message-delta, #message-subscribeUser, #schema-Order'
const LOOKS = [
  [360, 'light'],
  [360, 'dark'],
  [1280, 'light'],
] as const

declare const axe: { run(options: RunOptions): Promise<AxeResults> }

const skip = noBrowser
let browser: Browser | undefined

t.test('the page renders completely in a browser: narrow and wide, light and dark', { skip }, async t => {
  const { url } = await startTestServer(t)
  const axeText = readFileSync(AXE, 'utf8')
  for (const [width, colorScheme] of LOOKS) {
    const { page, complaints, loaded } = await openPage({ width, colorScheme })
    await page.goto(`${url}/docs`)
    const what = `${width} px, ${colorScheme}`
    await page.evaluate(`for (const fold of document.querySelectorAll('${FOLDS}')) fold.open = true`)
    t.equal(await page.evaluate('document.documentElement.scrollWidth'), width, `${what}: it fits`)
    t.same(complaints, [], `${what}: nothing is refused by its policy, nothing fails`)
    const foreign = loaded.filter(address => !address.startsWith(`${url}/`))
    t.same(foreign, [], `${what}: nothing from elsewhere`)
    await page.evaluate(axeText)
    const { violations } = await page.evaluate(() => axe.run({ resultTypes: ['violations'] }))
    const told = violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 200)}`)
    t.same(told, [], `${what}: in nobody's way`)
    await page.close()
  }
})

t.test('a line can be reached and copied by keyboard alone', { skip }, async t => {
  const { url } = await startTestServer(t)
  const { page } = await openPage({ width: 360, colorScheme: 'light' })
  await page.goto(`${url}/docs`)
  await page.keyboard.press('Tab')
  t.equal(await page.evaluate('document.activeElement.textContent'), 'Skip to content')
  const button = page.getByRole('button', { name: 'Copy: curl for listEvents' })
  await button.focus()
  await page.keyboard.press('Enter')
  await page.waitForFunction(`document.activeElement.textContent === 'Copied'`)
  t.equal(await page.evaluate('navigator.clipboard.readText()'), `curl -s '${url}/events'`)
})

t.test('a link to a collapsed section expands it', { skip }, async t => {
  const { url } = await startTestServer(t)
  const { page } = await openPage({ width: 360, colorScheme: 'light' })
  await page.goto(`${url}/api/v1/docs#schema-Order`)
  await page.waitForFunction(`document.getElementById('schema-Order').open`)
  t.match(await page.locator('#schema-Order').innerText(), 'remaining_quantity')
})

interface Opened {
  readonly page: Page
  /** Errors and warnings that the browser reported. */
  readonly complaints: string[]
  /** URLs that it requested. */
  readonly loaded: string[]
}

async function openPage({
  width,
  ...options
}: {
  width: number
  colorScheme: 'light' | 'dark'
}): Promise<Opened> {
  browser ??= await startBrowser(t)
  const permissions = ['clipboard-read', 'clipboard-write']
  const page = await browser.newPage({ viewport: { width, height: 800 }, permissions, ...options })
  const complaints: string[] = []
  const loaded: string[] = []
  page.on('console', message => complaints.push(message.text()))
  page.on('pageerror', error => complaints.push(String(error)))
  page.on('requestfailed', request => complaints.push(`${request.url()} failed`))
  page.on('request', request => loaded.push(request.url()))
  return { page, complaints, loaded }
}
