import type { Page } from 'playwright-core'
import t from 'tap'
import { adminLink, closePage, noBrowser, openPage } from '../fixtures/browser.js'
import { startTestServer } from '../fixtures/server-process.js'
import { cutTables } from './axe.js'
import { sharedBrowser } from './shared-browser.js'

const LONG = 'Will the Reserve Bank of India cut the repo rate by at least 25 basis points this December?'

t.test('on a tablet the list of events has room for its titles', { skip: noBrowser }, async t => {
  const server = await startTestServer(t)
  const code = await server.client.createEvent({ title: LONG, category: 'Economy' })
  const order = { l1_expected_price: 5, l1_order_quantity: 10_000 }
  await server.client.placeOrder(code, { ...order, userid: 'asha', offer_type: 'buy' })
  await server.client.placeOrder(code, { ...order, userid: 'mira', offer_type: 'sell' })
  await server.client.post(`/events/${code}/close`, {})
  const browser = await sharedBrowser(t)
  for (const language of ['en', 'hi'] as const) {
    for (const width of [768, 820]) {
      const { page, complaints } = await openPage(browser, await adminLink(server), { width, language })
      const title = page.getByRole('row').getByRole('link', { name: LONG })
      await title.waitFor()
      const lines = await title.evaluate(link => {
        const range = link.ownerDocument.createRange()
        range.selectNodeContents(link)
        return new Set(Array.from(range.getClientRects(), ({ top }) => top)).size
      })
      t.ok(lines <= 3, `a title is in three lines at most, not ${lines}, at ${width} in ${language}`)
      t.same(await cutTables(page), [])
      t.same(await cutHints(page), [], `at ${width} in ${language}`)
      t.same(complaints, [])
      await closePage(page)
    }
  }
})

/** Returns the hints of search fields that are wider than their field, less the cross that empties it. */
function cutHints(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`[...document.querySelectorAll('input[type=search]')].filter(field => {
    const { fontSize, fontFamily, paddingLeft, paddingRight } = getComputedStyle(field)
    const pen = document.createElement('canvas').getContext('2d')
    pen.font = fontSize + ' ' + fontFamily
    const room = field.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight) - 20
    return pen.measureText(field.placeholder).width > room
  }).map(({ placeholder }) => placeholder)`)
}
