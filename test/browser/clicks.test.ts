import type { Page, Route } from 'playwright-core'
import t from 'tap'
import { closePage, noBrowser, openPage } from '../fixtures/browser.js'
import type { ServerClient } from '../fixtures/server/server-client.js'
import { startTestServer } from '../fixtures/server-process.js'
import { sharedBrowser } from './shared-browser.js'

const SENT = '**/order/initiate'

/** The body of an order that a page sends. */
interface SentOrder {
  readonly client_order_id: string
  readonly l1_expected_price: number
  readonly l1_order_quantity: number
  readonly order_type: string
  readonly time_in_force?: string
  readonly valid_until: string
}

const bodyOf = (route: Route) => route.request().postDataJSON() as SentOrder

/** Presses a button as someone does who is used to double clicks. */
const doubleClick = (page: Page, place: string) => page.locator(place).dblclick()

async function ordersOf(client: ServerClient, userid: string, eventId: string) {
  const { body } = await client.get(`/order?userid=${userid}&event_id=${eventId}`)
  return (body.additional as { readonly orders: readonly { readonly filled_quantity: number }[] }).orders
}

t.test('one gesture is one order, at what was shown', { skip: noBrowser }, async t => {
  const server = await startTestServer(t)
  const { client } = server
  const browser = await sharedBrowser(t)
  const market = async (sellers: readonly (readonly [price: number, quantity: number])[]) => {
    const code = await client.createEvent({ max_bet: 100_000 })
    for (const [price, quantity] of sellers) {
      const order = {
        userid: 'mira',
        offer_type: 'sell',
        l1_expected_price: price,
        l1_order_quantity: quantity,
      }
      await client.placeOrder(code, order)
    }
    return code
  }
  const open = async (code: string, user: string, width = 1280) => {
    const { page, complaints } = await openPage(browser, `${server.url}/market/${code}`, { user, width })
    return { page, complaints }
  }
  const typeIn = async (page: Page, quantity: string) => {
    await page.locator('.segment', { hasText: 'Market' }).click()
    await page.fill('#ticket-quantity', quantity)
  }

  await t.test('the market moves between look and click: nothing is bought at another price', async t => {
    const code = await market([[4, 25]])
    const { page } = await open(code, 'asha')
    await typeIn(page, '25')
    await page.locator('.ticket-sum', { hasText: 'Price at most₹4.10' }).waitFor()
    let body: SentOrder | undefined
    await page.route(SENT, async route => {
      body = bodyOf(route)
      await client.placeOrder(code, { userid: 'fast', l1_expected_price: 4, l1_order_quantity: 15 })
      await client.placeOrder(code, {
        userid: 'mira',
        offer_type: 'sell',
        l1_expected_price: 9,
        l1_order_quantity: 100,
      })
      await route.continue()
    })
    await page.click('.ticket-send')
    await page.getByText('15 YES not bought: no more sellers at ₹4.10 or less.').waitFor()
    t.match(await page.textContent('.ticket-answer[role=status]'), /^Bought 10 YES/)
    t.match(body, { order_type: 'LO', time_in_force: 'IOC', l1_expected_price: 4.1, l1_order_quantity: 25 })
    await page.locator('.held', { hasText: 'You own 10 YESBreak-even ₹4.00' }).waitFor()

    // What may slip can be set, and is kept for the user.
    await page.getByLabel('Price may slip').selectOption('0')
    await page.locator('.ticket-sum', { hasText: 'Price at most₹9.00' }).waitFor()
    for (let kept = {}; !('ticket_tolerance' in kept); ) {
      const { body } = await client.get('/portfolio/asha/settings')
      kept = (body.additional as { readonly settings: object }).settings
    }
    await page.reload()
    await page.locator('option:checked', { hasText: 'not at all' }).waitFor({ state: 'attached' })
    await closePage(page)
  })

  await t.test('an exit brings what it said, or does not sell', async t => {
    const code = await market([[6, 50]])
    await client.placeOrder(code, { userid: 'ravi', l1_expected_price: 6, l1_order_quantity: 50 })
    await client.placeOrder(code, { userid: 'high', l1_expected_price: 6, l1_order_quantity: 50 })
    const { page } = await open(code, 'ravi')
    await page.locator('.held button').click()
    const exit = page.getByRole('dialog', { name: 'Exit YES' })
    await exit.getByText('You receive₹300.00').or(exit.getByText('₹300.00')).first().waitFor()
    t.match(await exit.textContent(), /Price at least₹5\.90/)
    await page.route(SENT, async route => {
      await client.send('DELETE', `/order?userid=high&event_id=${code}`)
      await client.placeOrder(code, { userid: 'low', l1_expected_price: 0.5, l1_order_quantity: 50 })
      await route.continue()
    })
    await exit.getByRole('button', { name: 'Sell 50 YES' }).click()
    await exit.getByText('50 YES not sold: no more buyers at ₹5.90 or more.').waitFor()
    await closePage(page)
  })

  await t.test('a double click, and Enter held down, send one order', async t => {
    const code = await market([[4, 1000]])
    const { page } = await open(code, 'bela')
    await typeIn(page, '10')
    // However long the answer takes to be seen here, the next press comes at once for the page.
    await page.clock.setFixedTime(Date.now())
    await doubleClick(page, '.ticket-send')
    await page.getByText('Bought 10 YES').waitFor()
    await page.click('.ticket-send')
    await page.clock.setFixedTime(Date.now())
    await page.fill('#ticket-quantity', '11')
    for (let press = 0; press < 15; press++) await page.keyboard.down('Enter')
    await page.keyboard.up('Enter')
    await page.getByText('Bought 11 YES').waitFor()
    // In a dialog, too, the press that opened it does not confirm.
    await page.fill('#ticket-quantity', '200')
    for (let press = 0; press < 5; press++) await page.keyboard.down('Enter')
    const confirm = page.getByRole('dialog', { name: 'Buy 200 YES?' })
    await confirm.waitFor()
    await page.keyboard.up('Enter')
    await page.clock.setFixedTime(Date.now())
    await page.keyboard.press('Enter')
    await page.getByText('Bought 200 YES').waitFor()
    t.same(
      (await ordersOf(client, 'bela', code)).map(({ filled_quantity }) => filled_quantity),
      [200, 11, 10],
    )
    await closePage(page)
  })

  await t.test('an order without an answer is asked about, not placed again', async t => {
    const code = await market([[4, 1000]])
    const { page } = await open(code, 'cora')
    await typeIn(page, '10')
    const bodies: SentOrder[] = []
    let sentAt = Number.POSITIVE_INFINITY
    await page.route(SENT, async route => {
      sentAt = Math.min(sentAt, Date.now())
      bodies.push(bodyOf(route))
      await route.fetch()
      await route.abort()
    })
    const clickedAt = Date.now()
    await page.click('.ticket-send')
    await page.getByText('No answer: your order may have been placed.').waitFor()
    t.ok(bodies.length > 1, 'the page has repeated it')
    t.equal(new Set(bodies.map(body => JSON.stringify(body))).size, 1, 'as it was')
    const endsAt = Date.parse(bodies[0]?.valid_until ?? '')
    // The page knows the time of the exchange by its answers, whose `Date` has no milliseconds.
    t.ok(
      endsAt > clickedAt && endsAt <= sentAt + 10_000,
      `a late repeat is refused: from ${endsAt - sentAt} ms`,
    )
    await page.unroute(SENT)
    await page.getByRole('button', { name: 'Check the order' }).click()
    await page.getByText('Your order had arrived. Bought 10 YES').waitFor()
    t.equal((await ordersOf(client, 'cora', code)).length, 1)

    // Another draft is another order.
    await page.fill('#ticket-quantity', '11')
    await page.getByRole('button', { name: 'Buy 11 YES' }).click()
    await page.getByText('Bought 11 YES').waitFor()
    t.equal((await ordersOf(client, 'cora', code)).length, 2)
    await closePage(page)
  })

  await t.test('an order that arrives too late is not placed', async t => {
    const code = await market([[4, 1000]])
    const { page } = await open(code, 'dev')
    await typeIn(page, '10')
    await page.clock.install()
    const bodies: SentOrder[] = []
    const first = page.waitForRequest(SENT)
    await page.route(SENT, async route => {
      bodies.push(bodyOf(route))
      // The first attempt hangs until the page gives it up.
      if (bodies.length > 1) await route.continue({ postData: lateBody(bodyOf(route)) })
    })
    await page.click('.ticket-send')
    await first
    await page.clock.fastForward(11_000)
    await page.getByText('Not placed: your order reached the exchange too late.').waitFor()
    t.same(bodies[1], bodies[0], 'no repeat is valid for longer than the click')
    t.match(await ordersOf(client, 'dev', code), [{ filled_quantity: 0 }])
    await closePage(page)
  })

  await t.test('a sheet that is closed meanwhile keeps the guard, the answer and what was typed', async t => {
    const code = await market([[4, 1000]])
    const { page } = await open(code, 'esha', 390)
    const bar = page.locator('.buy-bar .button-yes')
    await bar.click()
    await page.fill('#ticket-price', '4.55')
    await page.getByRole('button', { name: 'Close' }).click()
    await bar.click()
    t.equal(await page.inputValue('#ticket-price'), '4.55')
    const held: Route[] = []
    const isSent = new Promise<void>(resolve => {
      void page.route(SENT, route => {
        held.push(route)
        resolve()
      })
    })
    await page.click('.ticket-send')
    await isSent
    await page.getByRole('button', { name: 'Close' }).click()
    await page.locator('.buy-bar', { hasText: 'Sending…' }).waitFor()
    await bar.click()
    await page.click('.ticket-send')
    await page.getByRole('button', { name: 'Close' }).click()
    t.equal(held.length, 1)
    await held[0]?.continue()
    await page.locator('.buy-bar', { hasText: 'Bought 10 YES' }).waitFor()
    await bar.click()
    await page.locator('.ticket', { hasText: 'Bought 10 YES' }).waitFor()
    t.equal((await ordersOf(client, 'esha', code)).length, 1)
    await closePage(page)
  })

  await t.test('a large order that is paid with contracts is confirmed', async t => {
    const code = await market([[3, 1000]])
    const no = { userid: 'fay', offer_type: 'sell', l1_expected_price: 3, l1_order_quantity: 500 }
    await client.placeOrder(code, { userid: 'gia', l1_expected_price: 3, l1_order_quantity: 500 })
    await client.send('DELETE', `/order?userid=mira&event_id=${code}`)
    await client.placeOrder(code, { userid: 'gia', l1_expected_price: 3, l1_order_quantity: 500 })
    await client.placeOrder(code, no)
    await client.placeOrder(code, {
      userid: 'mira',
      offer_type: 'sell',
      l1_expected_price: 9,
      l1_order_quantity: 500,
    })
    const { page } = await open(code, 'fay')
    await page.locator('.held', { hasText: '500 NO' }).waitFor()
    await typeIn(page, '500')
    await page.locator('.ticket-sum', { hasText: 'Cost₹0.00' }).waitFor()
    await page.click('.ticket-send')
    await page.getByRole('dialog', { name: 'Buy 500 YES?' }).waitFor()
    t.equal((await ordersOf(client, 'fay', code)).length, 1)
    await closePage(page)
  })
})

/** Returns an order as the exchange would see it if the time between the attempts had really passed. */
function lateBody(body: SentOrder): string {
  return JSON.stringify({
    ...body,
    valid_until: new Date(Date.parse(body.valid_until) - 22_000).toISOString(),
  })
}
