import t from 'tap'
import { closePage, noBrowser, openAdmin, openPage } from '../fixtures/browser.js'
import { startTestServer } from '../fixtures/server-process.js'
import { isTooWide, seriousIn } from './axe.js'
import { sharedBrowser } from './shared-browser.js'

t.test(
  'an operator funds house quotes, a trader sees them, and both see them stop',
  { skip: noBrowser },
  async t => {
    const server = await startTestServer(t)
    const code = await server.client.createEvent({ tick_size: 0.5 })
    const browser = await sharedBrowser(t)
    const { page, complaints } = await openAdmin(browser, server, `/event/${code}`)
    const card = page.getByRole('region', { name: 'House quotes' })
    await card.getByText('Sells 108.28 YES up to ₹6.50 · buys 108.28 YES down to ₹3.50').waitFor()
    await card.getByText('Never loses more than ₹1,000.00.').waitFor()
    await card.getByLabel('Start price').fill('5.05')
    await card.getByText('Expected a price of the event: ₹0.50 to ₹9.50').waitFor()
    t.ok(await card.getByRole('button', { name: /^Quote from/ }).isDisabled())
    await card.getByLabel('Start price').fill('5')
    await card.getByLabel('Step').fill('x')
    await card.getByText('Enter a number.').waitFor()
    await card.getByLabel('Step').fill('')
    await card.getByRole('slider').press('ArrowRight')
    t.equal(await card.getByLabel('Budget, ₹').inputValue(), '1,300', 'the slider sets the budget')
    await card.getByLabel('Budget, ₹').fill('1000')
    await card.getByText('Never loses more than ₹1,000.00.').waitFor()
    t.same(await seriousIn(page), [])
    await card.getByRole('button', { name: 'Quote from ₹1,000.00' }).click()
    await card.getByText('Quoting', { exact: true }).waitFor()
    await card.getByText('Loss so far ₹0.00 of at most ₹1,000.00').waitFor()

    const trader = await openPage(browser, `${server.url}/market/${code}`)
    const market = trader.page
    await market.getByText('House quotes').click()
    await market.getByText('35.1 at ₹4.50').waitFor()
    t.equal(await market.locator('.ladder-house').count(), 8)
    t.same(await seriousIn(market), [])
    await market.setViewportSize({ width: 360, height: 800 })
    t.notOk(await isTooWide(market), 'with its menu open')
    const orders = [4.5, 4, 3.5].map(price => ({ l1_expected_price: price, l1_order_quantity: 1234.56 }))
    for (const order of orders) await server.client.placeOrder(code, { ...order, userid: 'mira' })
    const phone = await openPage(browser, `${server.url}/market/${code}`, {
      ...{ user: 'mira', width: 360, language: 'hi' },
    })
    await phone.page.locator('.ladder-own').nth(2).waitFor()
    const heights = await phone.page
      .locator('.ladder-quantity > span:not(.ladder-bar, .ladder-house)')
      .evaluateAll(spans => spans.map(span => span.getBoundingClientRect().height))
    t.ok(Math.max(...heights) <= 22, 'what is in a row of the book is on one line')
    t.notOk(await isTooWide(phone.page))
    await closePage(phone.page)
    await server.client.placeOrder(code, {
      ...{ userid: 'asha', l1_expected_price: 5.5, l1_order_quantity: 10, offer_type: 'buy' },
    })
    await card.getByText('Loss so far ₹45.00').waitFor()
    await card.getByText('0 YES, 10 NO').waitFor()
    await page.getByRole('cell', { name: 'House quotes' }).waitFor()
    await page.getByRole('heading', { name: '1 holder' }).waitFor()
    await card.getByRole('button', { name: 'Stop quoting' }).click()
    await card.getByText('Stopped. ₹955.00 of ₹1,000.00 are back').waitFor()
    await market.locator('.ladder-house').first().waitFor({ state: 'detached' })
    // Chromium reports what a preview was refused for.
    t.same(
      [...complaints, ...trader.complaints].filter(text => !text.includes('422')),
      [],
    )
  },
)
