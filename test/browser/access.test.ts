import t from 'tap'
import { closePage, noBrowser, openPage } from '../fixtures/browser.js'
import { startTestServer } from '../fixtures/server-process.js'
import { isTooWide, seriousIn } from './axe.js'
import { sharedBrowser } from './shared-browser.js'

t.test(
  'axe-core finds nothing serious, and nothing is wider than the screen',
  { skip: noBrowser },
  async t => {
    const server = await startTestServer(t)
    const { client } = server
    const browser = await sharedBrowser(t)
    const empty = await openPage(browser, server.url)
    await empty.page.getByRole('heading', { name: 'No markets yet' }).waitFor()
    t.same(await seriousIn(empty.page), [], 'an empty exchange')

    const open = await client.createEvent({ sot: 'sports' })
    const over = await client.createEvent({ sot: 'crypto' })
    for (const code of [open, over]) {
      await client.placeOrder(code, { userid: 'asha', l1_order_quantity: 50 })
      await client.placeOrder(code, { userid: 'ravi', l1_order_quantity: 20, offer_type: 'sell' })
      await client.placeOrder(code, { userid: 'asha', offer_type: 'sell', l1_expected_price: 6 })
    }
    await client
      .post(`/events/${over}/resolve`, { outcome: 'no' })
      .then(() => client.post(`/events/${over}/close`, {}))
    await client.post(`/events/${over}/resolve`, { outcome: 'no' })

    const pages: readonly (readonly [name: string, path: string, ready: string])[] = [
      ['the list', '/', '.quote-yes'],
      ['a market', `/market/${open}`, '.held'],
      ['a market that is over', `/market/${over}`, '.result'],
      ['the portfolio', '/portfolio', '.table td.number:not(.roomy)'],
      ['a market that is not there', '/market/9999999', 'h1'],
    ]
    for (const [colorScheme, width] of [
      ['light', 1280],
      ['dark', 360],
    ] as const) {
      const { page, complaints } = await openPage(browser, server.url, { user: 'asha', colorScheme, width })
      for (const [name, path, ready] of pages) {
        await page.goto(server.url + path)
        await page.locator(ready).first().waitFor()
        t.same(await seriousIn(page), [], `${name}, ${colorScheme}, ${width} px`)
        t.notOk(await isTooWide(page), `${name} fits into ${width} px`)
      }
      await page.locator('.user-button').click()
      await page.getByRole('button', { name: 'Change username' }).click()
      await page.getByRole('dialog').waitFor()
      t.same(await seriousIn(page), [], `the name picker, ${colorScheme}, ${width} px`)
      // Chromium reports the 404 of the missing market.
      t.same(
        complaints.filter(text => !text.includes('404')),
        [],
      )
      await closePage(page)
    }
  },
)

t.test(
  'the theme follows the system until the user chooses one, and the choice persists',
  { skip: noBrowser },
  async t => {
    const server = await startTestServer(t)
    const { page } = await openPage(await sharedBrowser(t), server.url, { colorScheme: 'dark' })
    const ground = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor')
    const dark = await ground()
    await page.getByRole('button', { name: 'Switch to light theme' }).click()
    const light = await ground()
    t.not(light, dark)
    await page.reload()
    t.equal(await ground(), light, 'also after it is loaded again')
    await page.getByRole('button', { name: 'Switch to dark theme' }).click()
    t.equal(await ground(), dark)
    await page.emulateMedia({ colorScheme: 'light' })
    t.equal(await ground(), light, 'what the system shows anyway is no choice')
  },
)
