import t from 'tap'
import { noBrowser, openPage } from '../fixtures/browser.js'
import type { ServerClient } from '../fixtures/server/server-client.js'
import { startTestServer } from '../fixtures/server-process.js'
import { isTooWide, seriousIn } from './axe.js'
import { sharedBrowser } from './shared-browser.js'

/** The contrast between the text of the ticket’s button and its ground, as WCAG reckons it. */
const CONTRAST = `(() => {
  const light = colour => {
    const [r, g, b] = colour.match(/[\\d.]+/g).map(part => Number(part) / 255)
      .map(part => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  const { color, backgroundColor } = getComputedStyle(document.querySelector('.ticket-send'))
  const [a, b] = [light(color), light(backgroundColor)].sort((x, y) => y - x)
  return (a + 0.05) / (b + 0.05)
})()`

t.test('a newcomer bets ₹100, changes their mind, and gets out', { skip: noBrowser }, async t => {
  const server = await startTestServer(t)
  const code = await server.client.createEvent({ title: 'Will it rain?', max_bet: 1000 })
  const rest = { userid: 'mira', l1_order_quantity: 50 }
  await server.client.placeOrder(code, { ...rest, offer_type: 'sell', l1_expected_price: 6.2 })
  await server.client.placeOrder(code, { ...rest, offer_type: 'buy', l1_expected_price: 6 })
  const browser = await sharedBrowser(t)
  const { page, complaints } = await openPage(browser, `${server.url}/market/${code}?outcome=yes`)

  await page.locator('.ticket-sum', { hasText: /Contracts16\.12 · ₹0\.05 left over.*Cost₹99\.94/ }).waitFor()
  t.equal(await page.locator('#ticket-price').count(), 0, 'at market, in rupees')
  await page.click('.ticket-send')
  await page.keyboard.type('Asha/')
  await page.keyboard.press('Enter')
  const picker = page.locator('.picker')
  await picker.getByText('Use letters, digits,').waitFor()
  await page.keyboard.press('Backspace')
  t.equal(await picker.getByText('Use letters, digits,').count(), 0, 'an error goes with its correction')
  await page.keyboard.press('Enter')
  await page.locator('.user-button', { hasText: 'Trading as Asha' }).waitFor()

  // The button stays readable while its order is on its way, and takes no second press.
  let release = () => {}
  let sent = 0
  const isReleased = new Promise<void>(resolve => {
    release = resolve
  })
  await page.route('**/order/initiate', async route => {
    sent++
    await isReleased
    await route.continue()
  })
  await page.click('.ticket-send')
  await page.locator('.ticket-send[aria-busy="true"]').waitFor()
  await page.click('.ticket-send')
  t.ok((await page.evaluate<number>(CONTRAST)) >= 4.5, 'a pending button is readable')
  release()
  await page.getByText('Bought 16.12 YES for ₹99.94.').waitFor()
  t.equal(sent, 1)
  await page.locator('.held', { hasText: 'You own 16.12 YESBreak-even ₹6.20' }).waitFor()
  t.same(await seriousIn(page), [])

  // An answer goes with its order; keys work the ticket, but not while someone types.
  await page.getByRole('button', { name: '25%' }).click()
  t.equal(await page.getByText('Bought 16.12').count(), 0)
  t.equal(await page.inputValue('#ticket-quantity'), '250')
  await page.fill('#ticket-quantity', '')
  await page.keyboard.type('12s')
  t.match(await page.textContent('.ticket-send'), 'Buy', 's is text in a field')
  await page.keyboard.press('Escape')
  for (const key of ['n', 'l', 'c', '7']) await page.keyboard.press(key)
  t.equal(await page.textContent('.ticket-send'), 'Buy 7 NO')
  await page.keyboard.press('Escape')
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  t.same(await seriousIn(page), [])
  await page.keyboard.press('s')
  await page.keyboard.press('Escape')
  t.match(
    await page.textContent('.ticket-send'),
    'Buy 7 NO',
    'the list is all that keys reach while it is open',
  )

  // One key asks, and says what the exit pays.
  await page.keyboard.press('x')
  const exit = page.getByRole('dialog', { name: 'Exit YES' })
  await exit.getByText(/16\.12 at about ₹6\.00/).waitFor()
  t.match(await exit.textContent(), /You receive₹96\.72P&L−₹3\.22/)
  t.same(await seriousIn(page), [])
  await page.keyboard.press('Enter')
  await exit.getByText('Sold 16.12 YES for ₹96.72.').waitFor()
  await exit.getByRole('button', { name: 'Done' }).click()
  await page.getByText('You have no position in this market.').waitFor()

  // A price off the step is mended with one tap; large orders are confirmed.
  await page.keyboard.press('y')
  await page.fill('#ticket-price', '₹ 5.017')
  await page.getByRole('button', { name: 'Use ₹5.02' }).waitFor()
  await page.getByRole('button', { name: 'Use ₹5.01' }).click()
  await page.fill('#ticket-quantity', '१००')
  await page.click('.ticket-send')
  const confirm = page.getByRole('dialog', { name: 'Buy 100 YES?' })
  t.match(await confirm.textContent(), /Cost₹501\.00/)
  await confirm.getByRole('button', { name: 'Cancel' }).click()
  t.equal((await server.client.book(code)).bids.length, 1, 'nothing was sent')
  await page.fill('#ticket-quantity', '10')
  await page.click('.ticket-send')
  await page.getByText('Placed: 10 YES resting at ₹5.01.').waitFor()
  await page.getByLabel('Confirm').selectOption('always')
  await page.getByRole('button', { name: 'Notifications', exact: true }).click()
  await page.getByText('Settings', { exact: true }).click()
  await page.getByRole('checkbox', { name: 'Fills' }).uncheck()
  await page.keyboard.press('Escape')

  // An open order is changed in place.
  await page.getByRole('button', { name: 'Change buy YES at ₹5.01' }).click()
  const change = page.getByRole('dialog', { name: 'Change order: buy YES' })
  await change.locator('#amend-price').fill('5.50')
  await change.locator('#amend-quantity').fill('12')
  await change.getByText('The open part holds ₹66.00.').waitFor()
  t.same(await seriousIn(page), [])
  await change.getByRole('button', { name: 'Change order' }).click()
  await change.getByText('Changed. Placed: 12 YES resting at ₹5.50.').waitFor()
  await change.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name: 'Change buy YES at ₹5.50' }).waitFor()

  // The browser keeps how someone trades, and the exchange too.
  await page.reload()
  await page.locator('#ticket-price').waitFor()
  t.equal(await page.textContent('.ticket-send'), 'Buy 10 YES')
  await settingsOn(server.client, { ticket_confirm: 'always', notices_fills: false, ticket_type: 'LO' })

  // A phone has a bar within reach; after trading, Exit says what happens next.
  const narrow = { user: 'Asha', width: 360, colorScheme: 'dark' } as const
  const { page: phone, complaints: phones } = await openPage(browser, `${server.url}/market/${code}`, narrow)
  t.equal(await phone.locator('.ticket').count(), 0)
  await phone.locator('.buy-bar .button-yes', { hasText: '₹6.20' }).click()
  const sheet = phone.getByRole('dialog', { name: 'Order ticket' })
  await sheet.locator('#ticket-quantity').fill('3')
  t.same(await seriousIn(phone), [])
  t.notOk(await isTooWide(phone))
  await sheet.locator('option:checked', { hasText: 'always' }).waitFor({ state: 'attached' })
  await sheet.getByRole('button', { name: 'Buy 3 YES' }).click()
  const phoneConfirm = phone.getByRole('dialog', { name: 'Buy 3 YES?' })
  await phoneConfirm.getByRole('button', { name: 'Buy 3 YES' }).click()
  await sheet.getByText('Bought 3 YES for ₹18.60.').waitFor()
  await sheet.getByRole('button', { name: 'Close' }).click()
  await phone.getByRole('button', { name: 'Notifications', exact: true }).click()
  await phone.getByText('Settings', { exact: true }).click()
  t.equal(await phone.getByRole('checkbox', { name: 'Fills' }).isChecked(), false)

  // Someone else in the same browser begins as a newcomer.
  await page.locator('.user-button', { hasText: 'Trading as Asha' }).click()
  await page.getByRole('button', { name: 'Change username' }).click()
  await page.keyboard.type('Ravi')
  await page.keyboard.press('Enter')
  await page.locator('.user-button', { hasText: 'Trading as Ravi' }).waitFor()
  await page.locator('option:checked', { hasText: 'from ₹500' }).waitFor({ state: 'attached' })
  await page.locator('.ticket-send', { hasText: 'Buy 16.12 YES' }).waitFor()
  t.same(await settingsOf(server.client, 'Ravi'), {})

  await server.client.post(`/events/${code}/close`, {})
  await phone.goto(`${server.url}/market/${code}?exit=yes`)
  await phone.getByText('the result: ₹30.00 if YES, ₹0.00 if NO').waitFor()
  t.match(await phone.evaluate('document.activeElement.textContent'), /Trading closed/)
  t.same([...complaints, ...phones], [])
})

t.test('Sell turns to the outcome that one owns, on a desk and on a phone', { skip: noBrowser }, async t => {
  const { client, url } = await startTestServer(t)
  const code = await client.createEvent()
  const terms = { l1_order_quantity: 10, l1_expected_price: 6 }
  await client.placeOrder(code, { ...terms, userid: 'mira' })
  await client.placeOrder(code, { ...terms, userid: 'asha', offer_type: 'sell' })
  await client.placeOrder(code, { userid: 'mira', l1_expected_price: 7, offer_type: 'sell' })
  const browser = await sharedBrowser(t)
  for (const width of [1280, 390]) {
    const { page, complaints } = await openPage(browser, `${url}/market/${code}`, { user: 'asha', width })
    await page.locator('.held', { hasText: 'You own 10 NO' }).waitFor()
    if (width === 390) await page.locator('.buy-bar .button-yes').click()
    await page.locator('.ticket').getByText('Sell', { exact: true }).click()
    await page.locator('.outcome-no input:checked').waitFor({ state: 'attached' })
    t.equal(await page.inputValue('#ticket-price'), '3.00', 'at the best price for it')
    await page.locator('.ticket-send', { hasText: 'Sell NO' }).waitFor()

    // YES can still be chosen, which says why it cannot be sold.
    await page.locator('.outcome-yes').click()
    await page.locator('.outcome-yes input:checked').waitFor({ state: 'attached' })
    await page.locator('.ticket').getByText('Buy', { exact: true }).click()
    await page.locator('.ticket-send', { hasText: /Buy .*YES/ }).waitFor()
    t.same(complaints, [])
  }

  // With nothing to sell, or with both, the choice stays.
  await client.placeOrder(code, { ...terms, userid: 'ravi', l1_expected_price: 7 })
  await client.placeOrder(code, { userid: 'mira', l1_expected_price: 7, offer_type: 'sell' })
  await client.placeOrder(code, { userid: 'mira', l1_expected_price: 8, offer_type: 'sell' })
  for (const user of ['ravi', 'zoya']) {
    const { page } = await openPage(browser, `${url}/market/${code}?outcome=yes`, { user })
    if (user === 'ravi') await page.locator('.held', { hasText: 'You own' }).waitFor()
    const price = page.locator('#ticket-price')
    await price.waitFor()
    t.equal(await price.inputValue(), '8.00', 'the price at which one can buy')
    await page.locator('.ticket').getByText('Sell', { exact: true }).click()
    await page.locator('.ticket-send', { hasText: /Sell YES/ }).waitFor()
    t.equal(await price.inputValue(), '7.00', 'the price at which one can sell')
  }
})

t.test('the history says why an order was refused', { skip: noBrowser }, async t => {
  const server = await startTestServer(t)
  const code = await server.client.createEvent({ title: 'Will it snow?', max_bet: 100 })
  await server.client.placeOrder(code, { userid: 'asha', l1_order_quantity: 40 })
  const { page } = await openPage(await sharedBrowser(t), `${server.url}/portfolio`, { user: 'asha' })
  const tab = page.getByRole('link', { name: 'Orders', exact: true })
  await tab.or(page.getByRole('button', { name: 'All orders', exact: true })).click()
  await page.getByText('Worth ₹200.00; the maximum order is ₹100.00.').waitFor()
})

/** Waits until the exchange has these settings of Asha. */
async function settingsOn(client: ServerClient, wanted: Readonly<Record<string, unknown>>): Promise<void> {
  for (;;) {
    const found = await settingsOf(client, 'Asha')
    if (Object.entries(wanted).every(([name, value]) => found[name] === value)) return
    await new Promise(resolve => setTimeout(resolve, 100))
  }
}

async function settingsOf(client: ServerClient, userid: string): Promise<Readonly<Record<string, unknown>>> {
  const { body } = await client.get(`/portfolio/${userid}/settings`)
  return (body.additional as { readonly settings: Readonly<Record<string, unknown>> }).settings
}
