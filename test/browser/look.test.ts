import type { Page } from 'playwright-core'
import t from 'tap'
import { closePage, noBrowser, openAdmin, openPage, startBrowser } from '../fixtures/browser.js'
import { systemWithFont } from '../fixtures/installed-font.js'
import type { ServerClient } from '../fixtures/server/server-client.js'
import { startTestServer } from '../fixtures/server-process.js'
import { cutTables } from './axe.js'
import { walkByTab } from './keyboard.js'
import { sharedBrowser } from './shared-browser.js'
import { tooWideZoomed } from './zoom.js'

const UNBROKEN = 'W'.repeat(300)

const widthOf = (page: Page) => page.evaluate<number>('document.documentElement.scrollWidth')
/** Returns whether the text of an element is wider than its box. */
const overflows = (page: Page, selector: string) =>
  page.locator(selector).evaluate(element => element.scrollWidth > element.clientWidth)

t.test('the look and the language of the pages', { skip: noBrowser }, async t => {
  const server = await startTestServer(t)
  await playHigh(server.client)
  const code = await server.client.createEvent({ title: UNBROKEN })
  await server.client.placeOrder(code, { userid: 'asha', offer_type: 'buy', l1_expected_price: 6 })
  await server.client.placeOrder(code, { userid: 'mira', offer_type: 'sell', l1_expected_price: 6 })
  const rest = { l1_expected_price: 5, l1_order_quantity: 8000 }
  await server.client.placeOrder(code, { ...rest, userid: 'asha', offer_type: 'buy' })
  const browser = await sharedBrowser(t)

  await t.test('nothing is wider than a phone, whatever a title is', async t => {
    for (const locale of ['en-IN', 'hi-IN']) {
      const { page, complaints } = await openPage(browser, server.url, { width: 360, locale })
      await page.locator('.market-name').waitFor()
      t.equal(await widthOf(page), 360, `${locale}: home`)
      t.equal(await overflows(page, '.site-bar > .button-main'), false, 'the button for a username')
      await page.evaluate("localStorage.setItem('raay.user', 'asha')")
      await page.goto(`${server.url}/market/${code}`)
      await page.locator('h1').waitFor()
      t.equal(await widthOf(page), 360, `${locale}: market`)
      await page.goto(`${server.url}/portfolio`)
      await page.getByText(UNBROKEN).first().waitFor()
      t.equal(await widthOf(page), 360, `${locale}: portfolio`)
      t.same(complaints, [])
      await closePage(page)
    }
  })

  await t.test(
    'pages fit at 200 % and with letters twice as large, and the keyboard reaches all of them',
    async t => {
      const { page } = await openPage(browser, server.url, { user: 'asha', width: 360 })
      for (const path of ['/', `/market/${code}`, '/portfolio', '/portfolio/orders', '/people']) {
        await page.goto(server.url + path)
        await page.locator('h1').waitFor()
        await page.waitForLoadState('networkidle')
        t.same(await tooWideZoomed(page), [], path)
        t.same((await walkByTab(page)).faults, [], path)
      }
      await closePage(page)
    },
  )

  await t.test('the last column of a table stays in sight on phones and tablets', async t => {
    for (const width of [360, 768, 820]) {
      const { page } = await openPage(browser, `${server.url}/portfolio`, { user: 'asha', width })
      await page.locator('.list-table tbody tr').first().waitFor()
      t.same(await cutTables(page), [], `positions at ${width}`)
      await closePage(page)
      const admin = await openAdmin(browser, server, '/users', { width })
      await admin.page.getByRole('button', { name: /asha/ }).waitFor()
      await admin.page.locator('td.when', { hasText: '20' }).first().waitFor({ state: 'attached' })
      t.same(await cutTables(admin.page), [], `users at ${width}`)
      const lines = await admin.page.evaluate<number>(`(() => {
        const range = document.createRange()
        range.selectNodeContents(document.querySelector('td.when'))
        return new Set([...range.getClientRects()].map(({ top }) => top)).size
      })()`)
      t.ok(lines <= 2, `a time is in two lines at most at ${width}, not ${lines}`)
      await closePage(admin.page)
    }
  })

  await t.test('what a card of a list says stays in its half on a phone', async t => {
    for (const language of ['en', 'hi'] as const) {
      for (const list of ['history', 'orders']) {
        const { page } = await openPage(browser, `${server.url}/portfolio/${list}`, {
          ...{ user: 'asha', width: 360, language },
        })
        await page.locator('.list-table tbody tr').first().waitFor()
        const cut = await page
          .locator('.list-table td')
          .evaluateAll(cells =>
            cells.filter(cell => cell.scrollWidth > cell.clientWidth).map(cell => cell.innerHTML),
          )
        t.same(cut, [], `${list}, ${language}`)
        await closePage(page)
      }
    }
  })

  await t.test('nor is an operator’s page', async t => {
    const { page } = await openAdmin(browser, server, `/event/${code}`, { width: 360 })
    await page.getByRole('heading', { name: UNBROKEN }).waitFor()
    t.equal(await widthOf(page), 360)
    await page.goto(`${server.url}/admin/accounts`)
    await page.getByText('open mode, which has no accounts').waitFor()
    await page.goto(`${server.url}/admin`)
    await page.getByText(UNBROKEN).first().waitFor()
    t.equal(await widthOf(page), 360)
    await closePage(page)
  })

  await t.test('a reader of Hindi gets Hindi, can change it, and that stays', async t => {
    const { page, complaints } = await openPage(browser, server.url, { locale: 'hi-IN' })
    await page.getByRole('link', { name: 'मार्केट', exact: true }).waitFor()
    t.equal(await page.getAttribute('html', 'lang'), 'hi-IN')
    t.match(await page.textContent('.site-footer'), 'भारतीय मानक समय')
    await page.getByRole('button', { name: 'English' }).click()
    await page.getByRole('link', { name: 'Markets', exact: true }).waitFor()
    t.equal(await page.getAttribute('html', 'lang'), 'en-IN')
    await page.reload()
    await page.getByRole('link', { name: 'Markets', exact: true }).waitFor()
    t.match(await page.textContent('.site-footer'), 'India Standard Time')
    // Not the requests: a browser may ask for what it needed before.
    const fonts = await page.evaluate<string>(
      'document.fonts.ready.then(fonts => [...fonts].map(font => `${font.family}: ${font.status}`).join())',
    )
    t.match(fonts, 'Inter: loaded')
    t.match(fonts, 'Hindi Name: loaded', 'the switch can be read where no font of Hindi is installed')
    t.match(fonts, 'SiteDevanagari: unloaded', 'the letters of the other language are not needed')
    t.same(complaints, [])
    await closePage(page)
  })

  await t.test('the explanation stays dismissed, and comes where someone asks for it', async t => {
    const { page } = await openPage(browser, server.url)
    const words = page.getByText('a pair pays ₹10')
    await words.waitFor()
    await page.getByRole('button', { name: 'Dismiss' }).click()
    await words.waitFor({ state: 'detached' })
    await page.reload()
    await page.locator('.market-name').waitFor()
    t.equal(await words.count(), 0)
    await page.goto(`${server.url}/market/${code}`)
    await page.getByRole('button', { name: 'How it works' }).click()
    await words.waitFor()
    t.equal(new URL(page.url()).pathname, `/market/${code}`, 'and says so on the page where they are')
    await closePage(page)
  })

  await t.test('links lead from each page to each other one', async t => {
    const { page, complaints } = await openPage(browser, server.url, { user: 'asha' })
    const headings = {
      Portfolio: 'asha’s portfolio',
      Leaderboard: 'Leaderboard',
      Markets: 'Trade on what happens',
    }
    await page.locator('.market-name').waitFor()
    for (const name of [
      'Portfolio',
      'Leaderboard',
      'Portfolio',
      'Markets',
      'Leaderboard',
      'Markets',
    ] as const) {
      await page.locator('.site-nav').getByRole('link', { name }).click()
      await page.getByRole('heading', { level: 1, name: headings[name] }).waitFor()
    }
    await page.locator('.market-name').click()
    await page.locator('.ladder').or(page.getByText('No orders yet')).first().waitFor()
    t.same(complaints, [])
    await closePage(page)
  })

  await t.test('a wrong address leads back', async t => {
    const { page } = await openPage(browser, `${server.url}/markets/none`)
    await page.getByRole('heading', { name: 'Page not found' }).waitFor()
    t.match(await page.title(), 'Page not found')
    await page.getByRole('link', { name: 'All markets' }).click()
    await page.locator('.market-name').waitFor()
    t.equal(new URL(page.url()).pathname, '/')
    await closePage(page)
  })

  await t.test('pages have the name and the colour of the operator', async t => {
    server.reconfigure(config => ({ ...config, site: { ...config.site, name: 'Mandi', color: '#8a1c7c' } }))
    const { page, complaints } = await openPage(browser, server.url)
    await page.getByRole('link', { name: 'Mandi' }).waitFor()
    t.match(await page.title(), /^Mandi/)
    const fill = await page
      .locator('.mark')
      .evaluate(mark => mark.ownerDocument.defaultView?.getComputedStyle(mark).fill)
    t.equal(fill, 'rgb(138, 28, 124)')
    t.same(complaints, [])
  })
})

t.test('the letters of Hindi are loaded only where the system has none', { skip: noBrowser }, async t => {
  const server = await startTestServer(t)
  for (const [installed, isLoaded] of [
    ['devanagari', false],
    ['latin', true],
  ] as const) {
    const browser = await startBrowser(t, systemWithFont(t, installed))
    const { page } = await openPage(browser, server.url, { locale: 'hi-IN' })
    await page.getByRole('link', { name: 'मार्केट', exact: true }).waitFor()
    const loaded = await page.evaluate<string[]>(
      `document.fonts.ready.then(() => performance.getEntriesByType('resource').map(({ name }) => name))`,
    )
    t.equal(loaded.filter(name => name.includes('/devanagari-')).length, isLoaded ? 1 : 0, installed)
  }
})

/** Plays an event to its end for amounts as wide as they get. */
async function playHigh(client: ServerClient): Promise<void> {
  const code = await client.createEvent()
  const order = { l1_order_quantity: 100_000, l1_expected_price: 6 }
  await client.placeOrder(code, { ...order, userid: 'asha' })
  await client.placeOrder(code, { ...order, userid: 'mira', offer_type: 'sell' })
  await client.post(`/events/${code}/close`, {})
  await client.post(`/events/${code}/resolve`, { outcome: 'yes' })
}
