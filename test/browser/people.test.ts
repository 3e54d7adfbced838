import type { Page } from 'playwright-core'
import t from 'tap'
import { noBrowser, openAdmin, openPage, waitUntil } from '../fixtures/browser.js'
import { startTestServer } from '../fixtures/server-process.js'
import { isTooWide, seriousIn } from './axe.js'
import { sharedBrowser } from './shared-browser.js'

t.test('people talk about a market, and see how they do', { skip: noBrowser }, async t => {
  const server = await startTestServer(t)
  const { client, url } = server
  const browser = await sharedBrowser(t)
  const code = await client.createEvent()
  await client.placeOrder(code, { l1_expected_price: 4, userid: 'ravi', offer_type: 'sell' })
  await client.placeOrder(code, { l1_expected_price: 4, userid: 'asha' })

  const asha = await openPage(browser, `${url}/market/${code}`, { user: 'asha' })
  await asha.page.locator('.activity').getByRole('link', { name: 'asha' }).waitFor()
  t.match(await asha.page.locator('.activity').textContent(), /bought ₹.* YES/)
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

  const bad = { userid: 'ravi', text: '<i>Rude</i> words' }
  await client.post(`/events/${code}/comments`, bad)
  const { page, complaints } = await openAdmin(browser, server, '/comments')
  await moderate(page)
  t.same(complaints, [])
  const rest = await client.get(`/events/${code}/comments`)
  t.match(rest.body.additional, { comments: [{ id: 1, hidden: {} }] })
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
  await asha.page.getByRole('heading', { name: 'Forecasts and results' }).waitFor()
  await asha.page.getByRole('heading', { name: 'Best calls' }).waitFor()
  t.same(await seriousIn(asha.page), [])
  t.same(ravi.complaints, [])
  // A browser reports the private profile, which is not found, as a failed load.
  t.equal(asha.complaints.length, 1)
})

/** Hides the comment of asha, shows it, hides it again, and deletes that of ravi. */
async function moderate(page: Page): Promise<void> {
  const row = (user: string) => page.locator('tbody tr', { hasText: user })
  const dialog = page.getByRole('dialog')
  await row('ravi').getByText('<i>Rude</i> words').waitFor()
  for (const reason of ['Mistaken', 'Shouting']) {
    await row('asha').getByRole('button', { name: 'Hide the comment by asha' }).click()
    await dialog.getByRole('button', { name: 'Hide' }).click()
    await dialog.getByText('Enter a reason.').waitFor()
    await dialog.getByLabel('Reason').fill(reason)
    await page.keyboard.press('Enter')
    await row('asha').getByText(`by operator’s key,`).waitFor()
    await page.getByText('The comment by asha is hidden.').waitFor()
    t.equal(await row('asha').getByText(reason).count(), 1)
    if (reason === 'Shouting') break
    await row('asha').getByRole('button', { name: 'Show again: comment by asha' }).click()
    await row('asha').getByText('hidden').waitFor({ state: 'detached' })
  }
  await row('ravi').getByRole('button', { name: 'Delete the comment by ravi' }).click()
  await dialog.getByText('<i>Rude</i> words').waitFor()
  await page.keyboard.press('Escape')
  await row('ravi').getByRole('button', { name: 'Delete the comment by ravi' }).click()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await row('ravi').waitFor({ state: 'detached' })
  await page.getByLabel('Search comments').fill('<b>rain')
  await page.getByLabel('Show', { exact: true }).selectOption('visible')
  await page.getByText('No comments match.').waitFor()
  await page.getByLabel('Show', { exact: true }).selectOption('hidden')
  await row('asha').waitFor()
  await page.reload()
  await row('asha').getByRole('link', { name: 'asha' }).click()
  await page.getByRole('link', { name: 'Comments' }).last().click()
  await row('asha').waitFor()
}

t.test('a mention in a comment reaches the bell, in the reader’s language', { skip: noBrowser }, async t => {
  const { client, url } = await startTestServer(t)
  const browser = await sharedBrowser(t)
  const code = await client.createEvent({ title: 'Will it rain?' })
  await client.placeOrder(code, { userid: 'ravi' })
  const { page, complaints } = await openPage(browser, `${url}/docs`, { user: 'ravi', width: 360 })
  const asked = () => page.waitForResponse(answer => answer.url().includes('/portfolio/ravi/mentions'))
  // A browser that has never asked shows nothing of before.
  const [first] = await Promise.all([asked(), page.goto(`${url}/market/${code}`)])
  t.equal(first.status(), 200)
  await waitUntil(page, "localStorage.getItem('raay.mentions.ravi') === '0'")

  const comment = { userid: 'asha', text: `@Ravi, look:\n<b>clouds</b> ${'and more '.repeat(20)}` }
  t.equal((await client.post(`/events/${code}/comments`, comment)).status, 201)
  await page.reload()
  const words = 'asha mentioned you in a comment: “@Ravi, look: <b>clouds</b> and more'
  await page.locator('.toasts', { hasText: words }).waitFor()
  await page.getByRole('button', { name: 'Notifications, 1 new' }).click()
  const row = page.locator('.bell-list li')
  t.match(await row.textContent(), words)
  t.match(await row.textContent(), /…”/, 'shortened')
  t.same(await seriousIn(page), [])
  t.notOk(await isTooWide(page))
  await Promise.all([asked(), page.reload()])
  await page.getByRole('button', { name: 'Notifications', exact: true }).click()
  t.equal(await row.count(), 1, 'and once')
  await page.getByText('Settings', { exact: true }).click()
  await page.getByLabel('Comments that mention you').uncheck()
  await page.evaluate("localStorage.setItem('raay.language', 'hi')")
  await page.reload()
  await page.locator('.bell-button').click()
  await page.getByText('asha ने एक कमेंट में आपका ज़िक्र किया: “@Ravi, look').waitFor()
  t.same(complaints, [])
})
