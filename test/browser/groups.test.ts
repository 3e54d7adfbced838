import t from 'tap'
import { noBrowser, openPage } from '../fixtures/browser.js'
import { startTestServer } from '../fixtures/server-process.js'
import { cutTables, isTooWide, seriousIn } from './axe.js'
import { sharedBrowser } from './shared-browser.js'

t.test('a group shows its outcomes, what one holds, and releases money', { skip: noBrowser }, async t => {
  const server = await startTestServer(t)
  const { client, url } = server
  const { additional: code } = (
    await client.post('/groups/create', {
      ...{ title: 'Who wins the cup?', description: 'The winner of the final.', kind: 'exclusive' },
      outcomes: ['India', 'Papua New Guinea', 'Kenya'].map(title => ({ title })),
      none_of_these: true,
      ...{ start_date: '2020-01-01T00:00:00Z', end_date: '2036-02-01T00:00:00Z', sot: 'ICC' },
      ...{ min_bet: 0, max_bet: 10_000, quantity: 1000, category: 'Cricket' },
    })
  ).body
  const { body } = await client.get(`/groups/${String(code)}`)
  const [india = '', australia = '', kenya = ''] = (
    body.additional as { outcomes: { event_id: string }[] }
  ).outcomes.map(({ event_id }) => event_id)
  const trade = async (event: string, price: number, seller = 'asha') => {
    const order = { l1_expected_price: price, l1_order_quantity: 2 }
    await client.placeOrder(event, { ...order, userid: 'ben', offer_type: 'buy' })
    await client.placeOrder(event, { ...order, userid: seller, offer_type: 'sell' })
  }
  await trade(india, 3.5, 'cara')
  await trade(india, 4)
  await trade(australia, 3)

  const browser = await sharedBrowser(t)
  const { page, complaints } = await openPage(browser, `${url}/`, { user: 'asha' })
  const card = page.locator('.group-card')
  await card.getByText('India').waitFor()
  t.equal(await page.locator('.market-row').count(), 0, 'no outcome has a row of its own')
  t.equal(await page.locator('.market-list').count(), 0, 'and no empty card waits for rows')
  t.same(await seriousIn(page), [])
  await card.getByRole('link', { name: 'Who wins the cup?' }).click()
  await page.getByRole('heading', { name: 'Who wins the cup?' }).waitFor()
  await page.getByText('2 NO', { exact: true }).first().waitFor()
  t.equal(await page.locator('.group-table tbody tr').count(), 4)
  // A line each for the two that were traded, and a button for each of the four.
  const lines = page.locator('.group-plot [data-line]')
  await lines.nth(1).waitFor({ state: 'attached' })
  t.equal(await lines.count(), 2)
  const ofIndia = page.getByRole('button', { name: 'India 40%' })
  t.equal(await ofIndia.getAttribute('aria-pressed'), 'true')
  await ofIndia.click()
  t.equal(await ofIndia.getAttribute('aria-pressed'), 'false')
  t.equal(await lines.count(), 1, 'India is hidden')
  await ofIndia.click()
  const indiaRow = page.locator('.group-table tbody tr', { hasText: 'India' })
  t.equal(await indiaRow.locator('td.roomy .day-change').textContent(), '▲up 5 pts')
  await trade(india, 4.2, 'cara')
  await indiaRow.locator('td.roomy', { hasText: '7 pts' }).waitFor()
  const quote = { l1_expected_price: 2.5, l1_order_quantity: 1, userid: 'ben', offer_type: 'buy' }
  await client.placeOrder(kenya, quote)
  const ofKenya = page.locator('.group-table tbody tr', { hasText: 'Kenya' })
  await ofKenya.locator('.quote-no').getByText('₹7.50').waitFor()
  t.same(await seriousIn(page), [])
  await page.getByRole('button', { name: 'Order book of Kenya' }).click()
  const inline = page.locator('.outcome-book')
  await inline.getByRole('button', { name: /^₹2\.50/ }).waitFor()
  await inline.locator('.ticket-send').waitFor()
  t.same(await seriousIn(page), [])
  await page.getByRole('button', { name: 'Order book of India' }).click()
  await inline.getByText('No orders yet. Place the first.').waitFor()
  t.equal(await inline.count(), 1, 'the book of Kenya is closed')
  await page.getByRole('button', { name: 'Order book of India' }).click()
  t.equal(await inline.count(), 0)
  await page.getByRole('button', { name: 'Release ₹20.00' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('2 NO of India').waitFor()
  await dialog.getByText('2 YES of Kenya').waitFor()
  t.same(await seriousIn(page), [])
  await dialog.getByRole('button', { name: 'Release ₹20.00' }).click()
  await page.getByText('₹20.00 released.').waitFor()
  await page.getByText('2 YES', { exact: true }).first().waitFor()
  t.equal(await page.getByRole('button', { name: /Release/ }).count(), 0, 'nothing is left to release')
  const held = await client.get(`/groups/${String(code)}/position/asha`)
  t.match(held.body.additional, { releasable: 0 })

  await page.locator('.group-table').getByRole('link', { name: 'India' }).click()
  await page.getByRole('link', { name: 'All outcomes' }).click()
  await page.getByRole('heading', { name: 'Who wins the cup?' }).waitFor()
  t.same(complaints, [])
  await page.goto(`${url}/group/9999999`)
  await page.getByRole('heading', { name: 'Group not found' }).waitFor()
  await page.getByRole('link', { name: 'See all markets' }).click()
  await page.locator('.group-card').waitFor()
  await client.post(`/groups/${String(code)}/liquidity`, { budget: 1000 })
  const phone = await openPage(browser, `${url}/group/${String(code)}`, {
    user: 'asha',
    width: 360,
    language: 'hi',
  })
  await phone.page.getByText('2 ‘हाँ’ · जीतने पर ₹20.00').first().waitFor()
  await phone.page.getByRole('link', { name: 'इनमें से कोई नहीं' }).waitFor()
  await phone.page.getByText('हाउस कोट').click()
  await phone.page.getByText('ज़्यादा से ज़्यादा नुक़सान').waitFor()
  t.notOk(await isTooWide(phone.page))
  t.same(await cutTables(phone.page), [])
  t.same(await seriousIn(phone.page), [])
  await phone.page.goto(url)
  await phone.page.locator('.group-label', { hasText: 'Papua New Guinea' }).waitFor()
  const cut = `[...document.querySelectorAll('.group-label')].filter(one => one.scrollWidth > one.clientWidth).length`
  t.equal(await phone.page.evaluate(cut), 0, 'labels are whole on a phone')
})
