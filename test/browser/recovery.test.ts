import t from 'tap'
import { noBrowser, openPage } from '../fixtures/browser.js'
import { dataDirectory } from '../fixtures/server/server-directory.js'
import { spawnTestServer } from '../fixtures/server-process.js'
import { sharedBrowser } from './shared-browser.js'

t.test('a page recovers by itself when the server is killed and restarted', { skip: noBrowser }, async t => {
  const data = dataDirectory(t)
  const first = await spawnTestServer(t, { data })
  const code = await first.client.createEvent()
  await first.client.placeOrder(code, { userid: 'asha', l1_expected_price: 6, l1_order_quantity: 3 })
  const address = `${first.url}/market/${code}`
  const { page } = await openPage(await sharedBrowser(t), address, { user: 'asha' })
  await page.locator('.badge', { hasText: 'Live' }).waitFor()
  await page.locator('.ladder-yes', { hasText: '3 yours' }).waitFor()

  await first.kill('SIGKILL')
  await page.locator('.badge', { hasText: 'Offline' }).waitFor()
  t.equal(await page.locator('.ladder-yes').count(), 1, 'what was known is still shown')

  const second = await spawnTestServer(t, { data, flags: ['--port', new URL(first.url).port] })
  // It may happen before or after the page reconnects; the page must show it either way.
  await second.client.placeOrder(code, { userid: 'ravi', offer_type: 'sell', l1_expected_price: 6 })
  await page.locator('.badge', { hasText: 'Live' }).waitFor()
  await page.locator('.ladder-yes', { hasText: '2 yours' }).waitFor()
  await page.locator('.held', { hasText: '1 YES' }).waitFor()
  await page.locator('.tape td', { hasText: '₹6.00' }).waitFor()

  await page.fill('#ticket-price', '5')
  await page.click('.ticket-send')
  await page.getByText('Placed: 10 YES resting at ₹5.00.').waitFor()
  await page.locator('.ladder-yes', { hasText: '10 yours' }).waitFor()
})
