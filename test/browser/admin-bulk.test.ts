import t from 'tap'
import { noBrowser, openAdmin } from '../fixtures/browser.js'
import { startTestServer } from '../fixtures/server-process.js'
import { isTooWide, seriousIn } from './axe.js'
import { sharedBrowser } from './shared-browser.js'

t.test('an operator sees what to decide, and changes many events at once', { skip: noBrowser }, async t => {
  const server = await startTestServer(t)
  const { client } = server
  const codes: string[] = []
  for (const name of ['one', 'two', 'three'])
    codes.push(await client.createEvent({ title: `Event ${name}?` }))
  await client.placeOrder(codes[0] ?? '', { l1_expected_price: 4, userid: 'ravi', offer_type: 'sell' })
  await client.placeOrder(codes[0] ?? '', { l1_expected_price: 4, userid: 'asha' })
  const statuses = async () => {
    const found = await Promise.all(codes.map(code => client.get(`/events/${code}`)))
    return found.map(({ body }) => (body.additional as { status: string }).status).join(' ')
  }
  const browser = await sharedBrowser(t)
  const { page, complaints } = await openAdmin(browser, server)
  const pick = (name: string) => page.getByRole('checkbox', { name: `Select “Event ${name}?”` }).check()
  const dialog = page.getByRole('dialog')
  await pick('one')
  await pick('two')
  t.same(await seriousIn(page), [])
  await page.getByRole('button', { name: 'Halt 2' }).click()
  await dialog.getByRole('button', { name: 'Halt 2' }).click()
  await page.getByText('2 events halted.').waitFor()
  t.equal(await statuses(), 'halted halted open', 'and no other')
  const decisions = page.locator('.decisions')
  await decisions.getByRole('link', { name: 'Event one?' }).waitFor()

  await pick('one')
  await pick('two')
  await page.getByRole('button', { name: 'Close 2' }).click()
  const close = dialog.getByRole('button', { name: 'Close 2' })
  t.ok(await close.isDisabled(), 'not before it was understood')
  await dialog.getByRole('checkbox').check()
  await close.click()
  await page.getByText('2 events closed.').waitFor()

  await pick('one')
  await pick('two')
  await page.getByRole('button', { name: 'Resolve 2' }).click()
  await dialog.getByRole('checkbox').check()
  const resolve = dialog.getByRole('button', { name: 'Resolve 2' })
  await dialog.getByRole('group', { name: 'Result of “Event one?”' }).getByText('YES').click()
  t.ok(await resolve.isDisabled(), 'each needs a result')
  t.same(await seriousIn(page), [])
  await dialog.getByRole('group', { name: 'Result of “Event two?”' }).getByText('NO').click()
  await resolve.click()
  await page.getByText('2 events resolved.').waitFor()
  t.match(await statuses(), /^(?:resolved|settled) (?:resolved|settled) open$/)

  await page.goto(`${server.url}/admin/users`)
  await page.getByRole('columnheader', { name: 'Volume' }).waitFor()
  await page.getByRole('cell', { name: '₹', exact: false }).first().waitFor()
  await page.goto(`${server.url}/admin/actions`)
  await page.getByRole('link', { name: 'Event one?' }).first().waitFor()
  await page.goto(`${server.url}/admin/health`)
  await page.getByRole('heading', { name: 'Check today' }).waitFor()
  await page.getByText('There is no recent verified backup').waitFor()
  t.same(await seriousIn(page), [])
  t.same(complaints, [])

  const phone = await openAdmin(browser, server, '', { width: 360 })
  await phone.page.locator('.decisions').waitFor()
  t.notOk(await isTooWide(phone.page))
})
