import t from 'tap'
import { noBrowser, openPage, startBrowser } from '../fixtures/browser.js'
import { startTestServer } from '../fixtures/server-process.js'
import { isTooWide, seriousIn } from './axe.js'

t.test('people talk about a market, and see how they do', { skip: noBrowser }, async t => {
  const server = await startTestServer(t)
  const { client, url } = server
  const browser = await startBrowser(t)
  const code = await client.createEvent()
  await client.placeOrder(code, { l1_expected_price: 4, userid: 'ravi', offer_type: 'sell' })
  await client.placeOrder(code, { l1_expected_price: 4, userid: 'asha' })

  const asha = await openPage(browser, `${url}/market/${code}`, { user: 'asha' })
  await asha.page.getByLabel('Your comment').fill('<b>Rain</b> is likely.\nSure.')
  await asha.page.getByLabel('Show my position').check()
  await asha.page.getByRole('button', { name: 'Post' }).click()
  const comment = asha.page.locator('.comment', { hasText: '<b>Rain</b> is likely.' })
  await comment.getByText(/Holds \d+ YES/).waitFor()
  t.equal(await comment.locator('.comment-text b').count(), 0, 'text is only text')
  t.equal(await asha.page.getByLabel('Your comment').inputValue(), '')
  t.same(await seriousIn(asha.page), [])

  const ravi = await openPage(browser, `${url}/market/${code}`, { user: 'ravi', width: 360 })
  await ravi.page.locator('.comment').waitFor()
  t.equal(await ravi.page.locator('.comment button').count(), 0, 'nobody deletes what others say')
  t.notOk(await isTooWide(ravi.page))

  await client.post(`/events/${code}/comments/1/hide`, { reason: 'Shouting' })
  await ravi.page.reload()
  await ravi.page.getByText('Hidden by an operator.').waitFor()
  t.notMatch(await ravi.page.locator('.comments').textContent(), /Rain|Shouting/)

  await client.post(`/events/${code}/close`, {})
  await client.post(`/events/${code}/resolve`, { outcome: 'yes' })
  // A board is kept for half a minute, so it is first asked for when everybody has been paid.
  const status = async () =>
    ((await client.get(`/events/${code}`)).body.additional as { status: string }).status
  while ((await status()) !== 'settled') await ravi.page.waitForTimeout(50)
  await ravi.page.goto(`${url}/people`)
  const me = ravi.page.locator('tr', { hasText: 'you' })
  await me.getByText('−₹').waitFor()
  t.same(await seriousIn(ravi.page), [])
  t.notOk(await isTooWide(ravi.page))
  await ravi.page.getByRole('button', { name: 'Make it private' }).click()
  await ravi.page.getByRole('button', { name: 'Make it public' }).waitFor()
  await me.waitFor({ state: 'detached' })
  await asha.page.goto(`${url}/people/ravi`)
  await asha.page.getByText('This profile does not exist, or is private.').waitFor()
  await asha.page.getByRole('link', { name: 'See the leaderboard' }).click()
  await asha.page.getByRole('link', { name: 'asha' }).click()
  await asha.page.locator('h1', { hasText: 'asha' }).waitFor()
  t.same(await seriousIn(asha.page), [])
  t.same(ravi.complaints, [])
  // A browser reports the private profile, which is not found, as a failed load.
  t.equal(asha.complaints.length, 1)
})
