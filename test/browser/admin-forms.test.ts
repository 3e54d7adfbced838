import t from 'tap'
import { noBrowser, openAdmin, openPage, waitUntil } from '../fixtures/browser.js'
import { dataDirectory } from '../fixtures/server/server-directory.js'
import { spawnTestServer, startTestServer } from '../fixtures/server-process.js'
import { isTooWide, seriousIn } from './axe.js'
import { enterAt, tabTo, walkByTab } from './keyboard.js'
import { sharedBrowser } from './shared-browser.js'

t.test('a refusal appears at its field, and the input stays', { skip: noBrowser }, async t => {
  const server = await startTestServer(t)
  await server.client.createEvent({ title: 'Taken already?' })
  const { page } = await openAdmin(await sharedBrowser(t), server, '/new')
  const create = page.getByRole('button', { name: 'Create event' })
  await create.click()
  await page.locator('#note-title.fault').waitFor()
  t.equal(await page.evaluate('document.activeElement.id'), 'field-title', 'the focus is where the fault is')

  await page.getByLabel('Question').fill('Taken already?')
  await page.locator('#note-title.fault').waitFor({ state: 'detached' })
  await page.getByLabel('Source', { exact: true }).fill('me')
  await create.click()
  await page.locator('#note-description.fault', { hasText: 'Say when it resolves YES' }).waitFor()
  await page.getByLabel('Rules').fill('YES if it is.')
  await page.getByLabel('Maximum order, ₹').fill('0.5')
  await create.click()
  await page
    .locator('#note-max_bet.fault', { hasText: 'Maximum order must be at least the minimum order.' })
    .waitFor()
  await page.getByLabel('Maximum order, ₹').fill('lots')
  await create.click()
  await page.locator('#note-max_bet.fault', { hasText: 'Enter an amount in rupees' }).waitFor()
  await page.getByLabel('Maximum order, ₹').fill('2,00,000')
  await create.click()
  await page.locator('#note-title.fault', { hasText: 'an event with this title already' }).waitFor()
  t.equal(await page.getByLabel('Maximum order, ₹').inputValue(), '2,00,000')
  await page.getByLabel('Question').fill('Free still?')
  await page.getByLabel('Price step, ₹').selectOption('0.5')
  await create.click()
  await page.getByRole('heading', { name: 'Free still?' }).waitFor()
  const { body } = await server.client.get('/events/1000002')
  t.match(body.additional, { max_bet: 200_000, tick_size: 0.5, sot: 'me', status: 'open' })

  // A template, saved from a form and begun from, fills in the day of closing.
  await page.goto(`${server.url}/admin/new`)
  await page.getByLabel('Question').fill('Rain by {date}?')
  await page.getByLabel('Rules').fill('YES if it rains.')
  await page.getByText('Save as template').click()
  await page.getByLabel('Name', { exact: true }).press('Enter')
  await page.locator('#note-name.fault', { hasText: 'Enter a name' }).waitFor()
  await page.getByLabel('Name', { exact: true }).fill('Rain')
  await page.getByRole('button', { name: 'Save template' }).click()
  await page.getByText('Template “Rain” saved.').waitFor()
  t.equal((await server.client.get('/events/1000003')).status, 404, 'saving creates no event')
  await page.goto(`${server.url}/admin/new`)
  await page.getByRole('button', { name: 'Rain', exact: true }).click()
  await page.getByText(/Traders read: “Rain by \d+ \w+ \d{4}\?”/).waitFor()
  await create.click()
  await page.getByRole('heading', { name: /^Rain by \d+ \w+ \d{4}\?$/ }).waitFor()
  await page.getByText('Save as template').click()
  await page.getByText('The question of the template: “Rain by {date}?”').waitFor()
  await page.getByLabel('Name', { exact: true }).fill('Rain again')
  await page.getByRole('button', { name: 'Save template' }).click()
  await page.getByText('Template “Rain again” saved.').waitFor()
  await page.goto(`${server.url}/admin/new`)
  // Its schedule shows the next events before it is saved; on none of them is it created during the test.
  const format = new Intl.DateTimeFormat('en-IN', { timeZone: 'Asia/Kolkata', weekday: 'short' })
  const day = format.format(Date.now() + 3 * 86_400_000)
  await page.getByRole('button', { name: 'Schedule of the template “Rain”' }).click()
  await page.getByRole('heading', { name: 'Next events' }).waitFor()
  await page.getByLabel('Repeats').selectOption('Every week')
  await page.getByRole('button', { name: 'Save schedule' }).click()
  await page.getByText('Choose at least one day.').waitFor()
  await page.getByRole('button', { name: day, exact: true }).click()
  await page.getByLabel('Hours ahead').fill('0')
  await page
    .getByText(/^\d+ \w+ \d{4}, .+: “Rain by \d+ \w+ \d{4}\?”$/)
    .first()
    .waitFor()
  await page.getByRole('button', { name: 'Save schedule' }).click()
  await page.getByText(new RegExp(`Every week on ${day} · Next opens .+ · 0 events created`)).waitFor()
  await page.getByRole('button', { name: 'Pause' }).click()
  await page.getByText(`Every week on ${day} · Paused`).waitFor()
  await page.getByRole('button', { name: 'Remove schedule' }).click()
  await page.getByText(`Every week on ${day}`).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Delete the template “Rain”' }).click()
  await page.getByRole('button', { name: 'Rain', exact: true }).waitFor({ state: 'detached' })
})

t.test(
  'an operator creates, halts, closes and resolves with the keyboard alone',
  { skip: noBrowser },
  async t => {
    const server = await startTestServer(t)
    const { page, complaints } = await openAdmin(await sharedBrowser(t), server)
    const button = (name: string) => page.getByRole('button', { name, exact: true })
    await enterAt(page, page.getByRole('link', { name: 'Create your first event' }))
    await tabTo(page, '#field-title')
    await page.keyboard.type('Will it rain?')
    await tabTo(page, '#field-description')
    await page.keyboard.type('YES if it rains.')
    await enterAt(page, button('Create event'))
    await page.getByRole('heading', { name: 'Will it rain?' }).waitFor()
    await enterAt(page, button('Halt'))
    await enterAt(page, button('Resume'))
    await enterAt(page, button('Close…'))
    await page.getByRole('dialog').getByRole('checkbox').waitFor()
    await page.keyboard.press('Escape')
    await page.locator('dialog').waitFor({ state: 'detached' })
    t.equal(
      await page.evaluate('document.activeElement.textContent'),
      'Close…',
      'the dialog gives the focus back',
    )
    await page.keyboard.press('Enter')
    await tabTo(page, page.getByRole('dialog').getByRole('checkbox'))
    await page.keyboard.press('Space')
    await enterAt(page, button('Close event'))
    await page.getByText('Trading has closed.').waitFor()
    await enterAt(page, button('YES'))
    await tabTo(page, page.getByLabel(/type the event code/))
    await page.keyboard.type('1000001')
    await page.keyboard.press('Enter')
    await page.getByText('Resolved: YES').first().waitFor()
    t.same((await walkByTab(page)).faults, [])
    t.same(complaints, [])
  },
)

t.test('an event can be edited while its state allows it', { skip: noBrowser }, async t => {
  const server = await startTestServer(t)
  const code = await server.client.createEvent({ title: 'Will it?', max_bet: 500 })
  const { page } = await openAdmin(await sharedBrowser(t), server, `/event/${code}`)
  await page.getByRole('button', { name: 'Edit' }).click()
  t.ok(await page.getByLabel('Opens').isDisabled(), 'it has begun')
  t.ok(await page.getByLabel('Payout, ₹').isDisabled(), 'fixed for ever')
  await page.getByLabel('Question').fill('Will it, really?')
  await page.getByLabel('Minimum order, ₹').fill('900')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page
    .locator('#note-min_bet.fault', { hasText: 'Minimum order must be at most the maximum order.' })
    .waitFor()
  await page.getByLabel('Minimum order, ₹').fill('9')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByRole('heading', { name: 'Will it, really?' }).waitFor()
  t.match((await server.client.get(`/events/${code}`)).body.additional, { min_bet: 9, max_bet: 500 })
  await page.goto(`${server.url}/admin/actions`)
  await page.locator('.roomy .changes', { hasText: 'Will it, really?' }).waitFor()
})

t.test('an open event can be voided, which undoes every trade', { skip: noBrowser }, async t => {
  const server = await startTestServer(t)
  const code = await server.client.createEvent()
  await server.client.placeOrder(code, { userid: 'asha', l1_expected_price: 6, l1_order_quantity: 10 })
  await server.client.placeOrder(code, { userid: 'ravi', offer_type: 'sell', l1_expected_price: 6 })
  const { page } = await openAdmin(await sharedBrowser(t), server, `/event/${code}`)
  await page.getByRole('button', { name: 'Void…' }).click()
  await page.locator('.sum', { hasText: 'Left over₹0.00' }).waitFor()
  await page.getByLabel(/type the event code/).fill(code)
  await page.getByRole('button', { name: 'Void event' }).click()
  await page.locator('.resolved', { hasText: 'Void: all trades are reversed and refunded.' }).waitFor()
  await page.getByRole('link', { name: 'Users' }).click()
  for (const user of ['asha', 'ravi']) {
    await page.locator('tr', { hasText: `${user}₹10,00,000.00₹0.00` }).waitFor()
  }
})

t.test('a deposit without a response is sent again and counts once', { skip: noBrowser }, async t => {
  const data = dataDirectory(t)
  const first = await spawnTestServer(t, { data })
  await first.client.post('/portfolio/asha/deposit', { amount: 1, txn_id: 'before' })
  const browser = await sharedBrowser(t)
  const { page } = await openAdmin(browser, first, '/users')
  await page.getByRole('button', { name: 'Deposit / withdraw for asha' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Amount, ₹').fill('1,250.50')
  const txnId = await dialog.locator('.txn code').textContent()
  // The request arrives and its response is lost; then the exchange is down for a while.
  let arrivals = 0
  await page.route('**/deposit', async route => {
    arrivals++
    if (arrivals === 1) await route.fetch()
    await route.abort()
  })
  await dialog.getByRole('button', { name: 'Deposit', exact: true }).click()
  await dialog.getByText('may or may not have gone through').waitFor()
  await dialog.getByRole('button', { name: 'Later' }).click()
  await first.kill('SIGKILL')
  await spawnTestServer(t, { data, flags: ['--port', new URL(first.url).port] })
  await page.unroute('**/deposit')
  await page.reload()

  await page.getByText('A deposit of ₹1,250.50 for asha got no response.').waitFor()
  await page.getByRole('button', { name: 'Review' }).click()
  t.equal(await dialog.locator('.txn code').textContent(), txnId, 'under the same number')
  t.ok(await dialog.getByLabel('Amount, ₹').isDisabled(), 'it is the same transfer')
  await dialog.getByRole('button', { name: 'Retry' }).click()
  const cash = await page.locator('.done').filter({ hasText: 'Deposited ₹1,250.50 to asha.' }).textContent()
  t.match(cash, /New balance: ₹10,01,251\.50|New balance: ₹1,251\.50/)
  t.equal(await page.getByText('got no response').count(), 0)
  const { body } = await first.client.get('/portfolio/asha/statement')
  const { entries } = body.additional as { entries: readonly { type: string; amount: number }[] }
  t.equal(entries.filter(({ type, amount }) => type === 'deposit' && amount === 1250.5).length, 1)
})

t.test('a withdrawal beyond the balance is refused at its field', { skip: noBrowser }, async t => {
  const server = await startTestServer(t)
  const { page } = await openAdmin(await sharedBrowser(t), server, '/users')
  await page.getByRole('button', { name: 'Deposit / withdraw' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Withdraw', { exact: true }).first().click()
  await dialog.getByLabel('Username').fill('nobody')
  await dialog.getByLabel('Amount, ₹').fill('5')
  await dialog.getByRole('button', { name: 'Withdraw' }).click()
  await dialog.getByText('User not found.').waitFor()
  await server.client.post('/portfolio/meera/deposit', { amount: 100, txn_id: 'x' })
  await dialog.getByLabel('Username').fill('meera')
  await dialog.getByLabel('Amount, ₹').fill('99,99,999.999')
  await dialog.getByRole('button', { name: 'Withdraw' }).click()
  await dialog.locator('#note-amount.fault', { hasText: 'Expected whole paise' }).waitFor()
  await dialog.getByLabel('Amount, ₹').fill('99,99,999')
  await dialog.getByRole('button', { name: 'Withdraw' }).click()
  await dialog.locator('#note-amount.fault', { hasText: 'Insufficient funds' }).waitFor()
})

t.test('an outcome with payouts that do not add up cannot be resolved', { skip: noBrowser }, async t => {
  const server = await startTestServer(t)
  const code = await server.client.createEvent()
  await server.client.placeOrder(code, { userid: 'asha', l1_expected_price: 6, l1_order_quantity: 10 })
  await server.client.placeOrder(code, { userid: 'ravi', offer_type: 'sell', l1_expected_price: 6 })
  await server.client.post(`/events/${code}/close`, {})
  const { page } = await openAdmin(await sharedBrowser(t), server, `/event/${code}`)
  await page.route('**/settlement?*', async route => {
    const response = await route.fetch()
    const body = (await response.json()) as { additional: { totals: Record<string, number> } }
    Object.assign(body.additional.totals, { payout: 99, sum: 1 })
    await route.fulfill({ response, json: body })
  })
  await page.getByRole('button', { name: 'YES', exact: true }).click()
  await page.getByText('These payouts do not add up: +₹1.00 is left over.').waitFor()
  t.equal(await page.getByLabel(/type the event code/).count(), 0)
  await page.unroute('**/settlement?*')
  await page.getByRole('button', { name: 'NO', exact: true }).click()
  await page.getByLabel(/type the event code/).waitFor()

  // More users that cannot be read leave the totals, and what was typed below them.
  await page.route('**/settlement?*', async route => {
    if (route.request().url().includes('cursor=')) {
      return route.fulfill({ status: 503, json: { status: false, code: 503, name: 'x', message: 'Busy' } })
    }
    const response = await route.fetch()
    const body = (await response.json()) as { additional: { next_cursor: string | null } }
    body.additional.next_cursor = 'more'
    return route.fulfill({ response, json: body })
  })
  await page.getByRole('button', { name: 'YES', exact: true }).click()
  await page.getByLabel('Note').fill('as the board says')
  await page.getByRole('button', { name: /Show more of/ }).click()
  await page.getByRole('alert').getByRole('button', { name: 'Retry' }).waitFor()
  t.equal(await page.getByLabel('Note').inputValue(), 'as the board says')
})

t.test(
  'everybody reads an announcement in their language, as text, until dismissed',
  { skip: noBrowser },
  async t => {
    const server = await startTestServer(t)
    const browser = await sharedBrowser(t)
    await server.client.createEvent()
    const { page } = await openAdmin(browser, server)
    await page.getByRole('link', { name: 'Announcement' }).click()
    const publish = page.getByRole('button', { name: 'Publish', exact: true })
    await publish.waitFor()
    await waitUntil(page, 'scrollY > 0')
    await publish.click()
    await page.locator('#note-en.fault', { hasText: 'Write a text in English.' }).waitFor()
    await page.getByLabel('Text in English').fill('Half of a time')
    await page.locator('#field-until').focus()
    await page.keyboard.type('12')
    await publish.click()
    await page.locator('#note-until.fault').waitFor()
    t.equal(await page.getByRole('button', { name: 'Replace' }).count(), 0, 'nothing is published')
    t.ok(await page.evaluate("document.querySelector('#field-until').validity.badInput"), 'it stays as typed')
    await page.locator('#field-until').fill('')
    const words = '<b>Trading</b> stops at "six" & starts at seven.'
    await page.getByLabel('Text in English').fill(words)
    await page.getByLabel('Text in Hindi').fill('ट्रेडिंग छह बजे रुकेगी।')
    await page.getByLabel('Kind', { exact: true }).selectOption('warning')
    await page.locator('.announcement-preview', { hasText: words }).waitFor()
    t.same(await seriousIn(page), [])
    await publish.click()
    await page.getByRole('button', { name: 'Replace' }).waitFor()

    const visitor = await openPage(browser, server.url, { width: 360 })
    const bar = visitor.page.locator('.announcement')
    await bar.getByText(words).waitFor()
    t.equal(await bar.locator('p b:not(.unseen)').count(), 0, 'text is only text')
    t.equal(await visitor.page.getByRole('status').filter({ hasText: words }).count(), 1)
    t.same(await seriousIn(visitor.page), [])
    t.notOk(await isTooWide(visitor.page))
    await visitor.page.getByRole('button', { name: 'Dismiss the announcement' }).click()
    for (const path of ['/', '/account', '/portfolio']) {
      await visitor.page.goto(server.url + path)
      await visitor.page.locator('h1').first().waitFor()
      t.equal(await bar.count(), 0, `it stays away: ${path}`)
    }
    const hindi = await openPage(browser, `${server.url}/sign-in`, { language: 'hi' })
    await hindi.page.locator('.announcement', { hasText: 'ट्रेडिंग छह बजे रुकेगी।' }).waitFor()
    t.notMatch(await hindi.page.locator('.announcement').textContent(), /stops/)

    await page.getByLabel('Text in English').fill('Open again.')
    await page.getByLabel('Text in Hindi').fill('')
    await page.getByRole('button', { name: 'Replace' }).click()
    await page.getByText(/It stays until you remove it/).waitFor()
    await page.locator('.announcement-preview', { hasText: 'Open again.' }).waitFor()
    await visitor.page.goto(server.url)
    await bar.getByText('Open again.').waitFor()
    await page.getByRole('button', { name: 'Remove announcement' }).click()
    await publish.waitFor()
    await visitor.page.reload()
    await visitor.page.locator('h1').first().waitFor()
    t.equal(await bar.count(), 0)
    t.same([...visitor.complaints, ...hindi.complaints], [])
  },
)

t.test('a bound that another operator set meanwhile is not undone', { skip: noBrowser }, async t => {
  const server = await startTestServer(t)
  const { client } = server
  const code = await client.createEvent()
  await client.placeOrder(code, { userid: 'asha' })
  const { page } = await openAdmin(await sharedBrowser(t), server, '/user/asha')
  await page.getByRole('button', { name: 'Limits', exact: true }).click()
  await page.locator('#field-order_value_max').fill('500')
  t.equal(
    (await client.send('PATCH', '/portfolio/asha/limits', JSON.stringify({ open_orders_max: 3 }))).status,
    200,
  )
  await page.getByText('3', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('₹500.00').waitFor()
  const { body } = await client.get('/portfolio/asha/limits')
  t.match(body.additional, { order_value_max: 500, open_orders_max: 3 })
})
