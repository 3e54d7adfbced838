import type { Page } from 'playwright-core'
import t from 'tap'
import { noBrowser, openPage } from '../fixtures/browser.js'
import { startTestServer } from '../fixtures/server-process.js'
import { enterAt, tabTo, walkByTab } from './keyboard.js'
import { sharedBrowser } from './shared-browser.js'

const badge = (page: Page, words: string) => page.locator('.badge', { hasText: words })

t.test(
  'an empty exchange tells traders to wait and operators what to do, and shows the first market itself',
  { skip: noBrowser },
  async t => {
    const server = await startTestServer(t)
    const { page, complaints } = await openPage(await sharedBrowser(t), server.url)
    const heading = page.getByRole('heading', { name: 'No markets yet' })
    await heading.waitFor()
    const edges = `[...document.querySelectorAll('.welcome > *')].map(one => one.getBoundingClientRect().left +
      parseFloat(getComputedStyle(one).paddingLeft))`
    t.equal(new Set(await page.evaluate<number[]>(edges)).size, 1, 'its lines begin at one edge')
    const first = page.getByRole('link', { name: 'Create the first event' })
    t.equal(await first.getAttribute('href'), '/admin')
    t.notMatch(await page.textContent('main'), /npm|POST|reload/i, 'commands are not for traders')
    const [scrolled, seen] = (await page.evaluate(
      '[document.documentElement.scrollHeight, innerHeight]',
    )) as number[]
    t.equal(scrolled, seen, 'a short page does not scroll')
    await server.client.createEvent({ title: 'Will it rain on Monday?' })
    await page.getByRole('link', { name: 'Will it rain on Monday?' }).waitFor()
    t.same(complaints, [])
  },
)

t.test('a person trades with the keyboard alone', { skip: noBrowser }, async t => {
  const server = await startTestServer(t)
  const code = await server.client.createEvent({ title: 'Will it rain on Sunday?' })
  await server.client.placeOrder(code, { userid: 'mira', offer_type: 'sell', l1_expected_price: 6.2 })
  const { page, complaints } = await openPage(await sharedBrowser(t), server.url)

  const focused = () =>
    page.evaluate<string>('document.activeElement?.ariaLabel ?? document.activeElement?.tagName')

  await page.getByRole('link', { name: 'Will it rain on Sunday?' }).waitFor()
  await tabTo(page, '.market-name')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Will it rain on Sunday?' }).waitFor()
  t.equal(new URL(page.url()).pathname, `/market/${code}`)

  // A user without a name is asked for one on trying to trade.
  await page.getByRole('button', { name: 'Choose a username to trade' }).waitFor()
  await tabTo(page, '.ticket-send')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor()
  await page.keyboard.type('Asha')
  await page.keyboard.press('Enter')
  const menu = page.locator('.user-button', { hasText: 'Trading as Asha' })
  await menu.click()
  t.equal(await page.getByRole('link', { name: 'Profile' }).getAttribute('href'), '/people/Asha')
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Profile' }).waitFor({ state: 'hidden' })

  // Limit, in contracts.
  await page.keyboard.press('l')
  await page.keyboard.press('c')
  await tabTo(page, '#ticket-price')
  t.equal(await page.inputValue('#ticket-price'), '6.20', 'it begins at the best offer')
  await page.keyboard.type('5.98')
  for (const key of ['ArrowUp', 'ArrowUp', 'Shift+ArrowDown', 'Shift+ArrowUp']) await page.keyboard.press(key)
  t.equal(await page.inputValue('#ticket-price'), '6.00', 'the arrows step by the tick, with shift by ten')
  await tabTo(page, '#ticket-quantity')
  await page.keyboard.type('25')
  t.match(await page.textContent('.ticket-sum'), /Cost₹150\.00Payout if YES₹250\.00 \+₹100\.00Fills now0/)
  await page.keyboard.press('Enter')
  await page.getByText('Placed: 25 YES resting at ₹6.00.').waitFor()

  await page.locator('.ladder-yes', { hasText: '25 yours' }).waitFor()
  await page.locator('.purse', { hasText: '₹9,99,850.00' }).waitFor()
  await enterAt(page, '[aria-label="Change buy YES at ₹6.00"]')
  await page.locator('#amend-quantity').waitFor()
  await page.keyboard.press('Escape')
  await page.locator('#amend-quantity').waitFor({ state: 'detached' })
  t.equal(await focused(), 'Change buy YES at ₹6.00', 'a dialog gives the focus back')
  await page.keyboard.press('Enter')
  await tabTo(page, '#amend-quantity')
  await page.keyboard.type('20')
  await page.keyboard.press('Enter')
  await page.getByText('Changed. Placed: 20 YES resting at ₹6.00.').waitFor()
  await page.keyboard.press('Enter')
  await enterAt(page, '[aria-label="Cancel buy YES at ₹6.00"]')
  await page.getByText('No open orders in this market.').waitFor()
  await page.locator('.ladder-yes').waitFor({ state: 'detached' })
  await page.locator('.purse', { hasText: '₹10,00,000.00' }).waitFor()
  t.same((await server.client.book(code)).bids, [])

  // At market; out again with what others bid; and to the portfolio.
  await page.keyboard.press('m')
  await tabTo(page, '#ticket-quantity')
  await page.keyboard.type('1')
  await page.keyboard.press('Enter')
  await page.getByText('Bought 1 YES for ₹6.20.').waitFor()
  await server.client.placeOrder(code, { userid: 'mira', offer_type: 'buy', l1_expected_price: 6 })
  await enterAt(page, '.held button')
  const exit = page.getByRole('dialog', { name: 'Exit YES' })
  await enterAt(page, exit.getByRole('button', { name: /^Sell/ }))
  await exit.getByText('Sold 1 YES for ₹6.00.').waitFor()
  await page.keyboard.press('Enter')
  await exit.waitFor({ state: 'detached' })
  await enterAt(page, '.site-nav a[href="/portfolio"]')
  await page.getByRole('heading', { name: 'Asha’s portfolio' }).waitFor()
  t.same((await walkByTab(page)).faults, [])
  t.same(complaints, [])
})

t.test(
  'warns before sending an order that would be refused, and puts refusals into words',
  {
    skip: noBrowser,
  },
  async t => {
    const server = await startTestServer(t)
    const code = await server.client.createEvent({ max_bet: 100, tick_size: 0.5 })
    const address = `${server.url}/market/${code}`
    const { page } = await openPage(await sharedBrowser(t), address, { user: 'asha' })
    await badge(page, 'Live').waitFor()
    const fault = page.locator('#ticket-fault')
    await page.fill('#ticket-price', '6.2')
    t.equal(await fault.textContent(), 'Prices here move in steps of ₹0.50.')
    t.notMatch(await page.textContent('.ticket-sum'), /₹/, 'no totals beside an invalid price')
    await page.getByRole('button', { name: 'Use ₹6.50' }).click()
    t.equal(await page.inputValue('#ticket-price'), '6.50')
    await page.fill('#ticket-quantity', '१००')
    t.equal(await fault.textContent(), 'Maximum order: ₹100.00.')
    t.equal(await page.getAttribute('#ticket-quantity', 'aria-invalid'), 'true')
    await page.click('.ticket-send')
    t.same((await server.client.book(code)).bids, [], 'nothing was sent')

    // The market is halted, and the order sent before the page receives the news.
    await page.fill('#ticket-quantity', '1')
    await page.route('**/order/initiate', async route => {
      await server.client.post(`/events/${code}/halt`, {})
      await route.continue()
    })
    await page.click('.ticket-send')
    await page.getByText('Not placed: trading is halted.').waitFor()
    await page.locator('.notice', { hasText: 'Trading is halted' }).waitFor()
    await page.fill('#ticket-quantity', '2')
    t.equal(await page.getByText('Not placed').count(), 0, 'the answer goes with the order that it was about')
  },
)

t.test('two people trade, see each other at once, and both see the payout', { skip: noBrowser }, async t => {
  const server = await startTestServer(t)
  const code = await server.client.createEvent()
  const browser = await sharedBrowser(t)
  const address = `${server.url}/market/${code}`
  const asha = await openPage(browser, address, { user: 'asha' })
  const ravi = await openPage(browser, address, { user: 'ravi', colorScheme: 'dark', width: 390 })
  for (const { page } of [asha, ravi]) await badge(page, 'Live').waitFor()

  await asha.page.fill('#ticket-price', '6.5')
  await asha.page.click('.ticket-send')
  await asha.page.getByText('Placed: 10 YES resting at ₹6.50.').waitFor()
  const row = ravi.page.locator('.ladder-yes', { hasText: '₹6.50' })
  await row.waitFor()
  t.notOk(await ravi.page.locator('.ladder-own').count(), 'what is not his is not marked as his')

  // A click on the ladder fills in the price on the ticket, as the price of the outcome bought.
  await ravi.page.locator('.buy-bar .button-no').click()
  await ravi.page.getByRole('button', { name: 'Close' }).click()
  await row.click()
  t.equal(await ravi.page.inputValue('#ticket-price'), '3.50')
  await ravi.page.fill('#ticket-quantity', '4')
  t.match(await ravi.page.textContent('.ticket-sum'), /Cost₹14\.00.*Fills now4 at about ₹3\.50/)
  await ravi.page.click('.ticket-send')
  await ravi.page.getByText('Bought 4 NO for ₹14.00.').waitFor()
  await ravi.page.getByRole('button', { name: 'Close' }).click()
  for (const { page } of [asha, ravi]) {
    await page.locator('.tape td', { hasText: '₹6.50' }).waitFor()
  }
  await asha.page.locator('.held', { hasText: 'You own 4 YESBreak-even ₹6.50' }).waitFor()
  await asha.page.getByText('4 of 10').waitFor()

  // Nobody buys NO: the way out is a limit order, on the ticket.
  await ravi.page.locator('.held button').click()
  await ravi.page.getByText('No buyers right now.').waitFor()
  await ravi.page.getByRole('button', { name: 'Set a price' }).click()
  t.equal(await ravi.page.inputValue('#ticket-quantity'), '4')
  t.match(await ravi.page.textContent('.ticket-send'), 'Sell 4 NO')

  await server.client.post(`/events/${code}/close`, {})
  await server.client.post(`/events/${code}/resolve`, { outcome: 'yes', note: 'It rained.' })
  for (const { page } of [asha, ravi]) await page.getByText('Resolved: YES', { exact: true }).waitFor()
  await asha.page.getByText('+₹14.00', { exact: true }).waitFor()
  await ravi.page.getByText('−₹14.00', { exact: true }).waitFor()
  await asha.page.getByText('₹10,00,014.00').waitFor()
  t.equal(await asha.page.locator('.ticket').count(), 0, 'there is nothing more to order')
  t.same([...asha.complaints, ...ravi.complaints], [])
})
