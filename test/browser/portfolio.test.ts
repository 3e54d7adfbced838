import { readFileSync } from 'node:fs'
import t from 'tap'
import { closePage, noBrowser, openPage } from '../fixtures/browser.js'
import { startTestServer } from '../fixtures/server-process.js'
import { isTooWide, seriousIn } from './axe.js'
import { tabTo } from './keyboard.js'
import { sharedBrowser } from './shared-browser.js'

t.test('a portfolio from the first fill to the statement', { skip: noBrowser }, async t => {
  const server = await startTestServer(t)
  const { client } = server
  const code = await client.createEvent({ title: 'Will it snow?' })
  const sell = (quantity: number, price = 5) =>
    client.placeOrder(code, {
      ...{ userid: 'ravi', offer_type: 'sell' },
      ...{ l1_order_quantity: quantity, l1_expected_price: price },
    })
  await client.placeOrder(code, { userid: 'asha', l1_order_quantity: 5 })
  await sell(2)
  const browser = await sharedBrowser(t)
  const { page, complaints } = await openPage(browser, `${server.url}/portfolio`, { user: 'asha' })
  const toasts = page.locator('.toasts')
  const bell = (name: string) => page.getByRole('button', { name, exact: true })

  await t.test('shows worth, money and positions', async t => {
    await page
      .locator('.worth', { hasText: /Portfolio value₹10,00,000\.00Today₹0\.00All time₹0\.00/ })
      .waitFor()
    await page
      .locator('.figures', { hasText: /Available₹9,99,975\.00In open orders₹15\.00Cash₹9,99,990\.00/ })
      .waitFor()
    await page.locator('tr', { hasText: /Will it snow\?2 YES ₹5\.00₹10\.00/ }).waitFor()
    t.same(await seriousIn(page), [])
  })

  await t.test(
    'leaves room for positions that are still loading, so that the footer does not jump',
    async t => {
      const { page: slow } = await openPage(browser, `${server.url}/people`, { user: 'asha' })
      await slow.locator('h1').waitFor()
      let release = () => {}
      const released = new Promise<void>(resolve => {
        release = resolve
      })
      await slow.route(/\/events\?.*event_ids/, async route => {
        await released
        await route.continue()
      })
      let courses = 0
      slow.on('request', request => {
        if (request.url().includes('/performance?')) courses++
      })
      await slow.goto(`${server.url}/portfolio`)
      await slow.locator('p.empty', { hasText: 'Loading…' }).waitFor()
      await slow.locator('.figures', { hasText: 'Available₹9,99,975.00' }).waitFor()
      const top = 'document.querySelector(".site-footer").getBoundingClientRect().top - innerHeight'
      t.ok((await slow.evaluate<number>(top)) >= 0, 'the footer is below the window')
      release()
      await slow.locator('tr', { hasText: /Will it snow\?.*₹5\.00/ }).waitFor()
      await slow.evaluate('new Promise(done => requestAnimationFrame(() => setTimeout(done)))')
      t.equal(courses, 2, 'the course of all time and that of today are asked for once')
      await closePage(slow)
    },
  )

  await t.test(
    'on a phone the lists are on the first screen, and say when they are still loading',
    async t => {
      const { page: phone } = await openPage(browser, `${server.url}/people`, { user: 'asha', width: 360 })
      // The orders come over the socket; without it they have not come yet.
      await phone.routeWebSocket(/./, () => {})
      await phone.setViewportSize({ width: 360, height: 800 })
      await phone.goto(`${server.url}/portfolio/orders`)
      const open = phone.locator('[aria-labelledby=open-title]')
      await open.getByText('Loading…').waitFor()
      t.equal(await phone.getByText('No open orders').count(), 0)
      const { y = Number.NaN, height = 0 } = (await open.boundingBox()) ?? {}
      t.ok(y + height < 700, `the open orders begin at ${y}`)
      await closePage(phone)
    },
  )

  await t.test('follows the price while others trade, in its table, its worth and its files', async t => {
    const { page: market } = await openPage(browser, `${server.url}/market/${code}`, { user: 'asha' })
    await market.locator('.held', { hasText: 'Last price ₹5.00' }).waitFor()
    const trade = async (price: number) => {
      const order = { l1_expected_price: price, l1_order_quantity: 1 }
      await client.placeOrder(code, { ...order, userid: 'mira', offer_type: 'sell' })
      await client.placeOrder(code, { ...order, userid: 'meera' })
    }
    await trade(7)
    await page.locator('tr', { hasText: /Will it snow\?2 YES ₹5\.00₹14\.00\+₹4\.00/ }).waitFor()
    await page.locator('.worth', { hasText: /Portfolio value₹10,00,004\.00Today\+₹4\.00/ }).waitFor()
    await market.locator('.held', { hasText: 'Last price ₹7.00' }).waitFor()
    const saved = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download CSV' }).click()
    t.match(readFileSync(await (await saved).path(), 'utf8'), /,Will it snow\?,2,0,5,14,4,0\r\n/)
    await closePage(market)
  })

  await t.test('says when a resting order fills, and what came while no page was open', async t => {
    await bell('Notifications').waitFor()
    await sell(1)
    await toasts.getByText('Order partly filled. Bought 1 YES at ₹5.00; 2 still to fill.').waitFor()
    await bell('Notifications, 1 new').click()
    const list = page.locator('.bell-list li')
    await list.filter({ hasText: 'New' }).waitFor()
    t.same(await seriousIn(page), [])
    await page.keyboard.press('Escape')
    await bell('Notifications').waitFor()
    await page.goto(`${server.url}/docs/guides`)
    await sell(2)
    await page.goto(`${server.url}/portfolio/orders`)
    await bell('Notifications, 1 new').click()
    await list.first().getByText('Order filled. Bought 2 YES at ₹5.00.').waitFor()
    t.equal(await list.count(), 2, 'each once')
    t.equal(await toasts.locator('.toast').count(), 0, 'missed ones make no toast')
    await tabTo(page, page.getByText('All history'))
    t.equal(await list.count(), 2, 'the list stays open while the focus is in it')
    await tabTo(page, bell('Switch to dark theme'))
    t.equal(await list.count(), 0, 'and does not cover where the focus goes next')
  })

  await t.test('lists orders and trades as their user placed them, and writes them to a file', async t => {
    await page.locator('tr', { hasText: /Will it snow\?.*Buy YES₹5\.005 of 5filled/i }).waitFor()
    await sell(4, 2.2)
    await client.placeOrder(code, { userid: 'meera', l1_order_quantity: 3, l1_expected_price: 2.2 })
    await page.getByRole('link', { name: 'History' }).click()
    await page.locator('tr', { hasText: 'Bought 2 YES at ₹5.00' }).first().waitFor()
    const saved = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download CSV' }).click()
    const text = readFileSync(await (await saved).path(), 'utf8')
    t.match(text, /^\u{FEFF}Time,Event,Market,Trade,.*\r\n/u)
    t.match(text, /,Will it snow\?,Bought 1 YES at ₹5\.00,1,-5,/)
    const ravi = await openPage(browser, `${server.url}/portfolio/history`, { user: 'ravi' })
    await ravi.page.locator('tr', { hasText: 'Bought 3 NO at ₹7.80' }).waitFor()
    t.match(await ravi.page.locator('tbody tr').first().textContent(), /\d{1,2} \w{3} \d{4}/, 'with the date')
    await closePage(ravi.page)
  })

  await t.test('says what last week brought in two clicks, and states the year to the paisa', async t => {
    await client.post(`/events/${code}/close`, {})
    await client.post(`/events/${code}/resolve`, { outcome: 'yes' })
    await toasts.getByText('Resolved: YES. You received ₹50.00 (P&L +\u2060₹25.00).').waitFor()
    await page.getByRole('button', { name: '1W' }).click()
    await page.locator('.worth-point', { hasText: '+₹25.00 in the last 7 days' }).waitFor()
    await page.getByRole('button', { name: 'Settlements' }).click()
    await page.getByLabel('Period').selectOption('week')
    await page.locator('.list-sum', { hasText: '1 row' }).filter({ hasText: '+₹25.00' }).waitFor()
    await page.reload()
    await page.locator('.list-sum', { hasText: '+₹25.00' }).waitFor()
    t.equal(await page.getByLabel('Period').inputValue(), 'week', 'the address keeps the filters')
    await page.getByRole('link', { name: 'Statement' }).click()
    const statement = page.locator('.statement')
    for (const line of ['Trades, net−₹25.00', 'Payouts+₹50.00', 'Closing balance₹10,00,025.00'])
      await statement.locator('tr', { hasText: line }).waitFor()
    t.same(await seriousIn(page), [])
    await page.setViewportSize({ width: 360, height: 900 })
    for (const path of ['', '/orders', '/history', '/statement']) {
      await page.goto(`${server.url}/portfolio${path}`)
      await page.locator('.portfolio .card').last().waitFor()
      t.notOk(await isTooWide(page), path)
    }
  })
  t.same(complaints, [])
})
