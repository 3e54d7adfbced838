import t from 'tap'
import { closePage, noBrowser, openPage } from '../fixtures/browser.js'
import { startTestServer } from '../fixtures/server-process.js'
import { isTooWide, seriousIn } from './axe.js'
import { sharedBrowser } from './shared-browser.js'

t.test('the reference and the guides in a browser', { skip: noBrowser }, async t => {
  const server = await startTestServer(t)
  const code = await server.client.createEvent({ title: 'Will it rain?' })
  const browser = await sharedBrowser(t)

  await t.test('the search of the reference finds routes by words, paths and messages', async t => {
    const { page, complaints } = await openPage(browser, `${server.url}/docs`)
    await page.keyboard.press('/')
    const contents = page.getByRole('navigation', { name: 'Contents' })
    const links = contents.locator('li a:visible')
    await page.keyboard.type('/order/initiate')
    t.same(await links.allTextContents(), ['Orders', 'POST Place an order'])
    await page.getByRole('searchbox').fill('initiate nowhere')
    await page.getByText('No matches').waitFor()
    await page.getByRole('searchbox').fill('place an order')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'POST /order/initiate' }).waitFor()
    t.match(page.url(), '/docs/api/orders')
    t.same(complaints, [])
    await closePage(page)
  })

  await t.test('Run sends the address as changed and shows the answer', async t => {
    const { page } = await openPage(browser, `${server.url}/docs/api/events`)
    const event = page.locator('#getEvent')
    const answer = event.getByRole('status')
    await event.getByRole('textbox').fill(`/events/${code}`)
    await event.getByRole('button', { name: 'Run' }).click()
    await answer.filter({ hasText: '"Will it rain?"' }).waitFor()
    await event.getByRole('textbox').fill('https://elsewhere.example/events/9999999')
    await event.getByRole('button', { name: 'Run' }).click()
    await answer.filter({ hasText: 'Event not found' }).waitFor()
    t.match(await answer.textContent(), /^404 /, 'nothing is sent elsewhere')
    await closePage(page)
  })

  await t.test('links to the one page that there was lead to the new ones', async () => {
    const { page } = await openPage(browser, `${server.url}/docs#placeOrder`)
    await page.waitForURL('**/docs/api/orders#placeOrder')
    await page.goto(`${server.url}/docs#schema-RefusalReason`)
    await page.waitForURL('**/docs/api/schemas#schema-RefusalReason')
    await closePage(page)
  })

  await t.test('the search of the guides finds sections and leads to them', async t => {
    const { page, complaints } = await openPage(browser, `${server.url}/docs/guides`)
    const search = page.getByRole('searchbox', { name: 'Search the guides' })
    const asked: string[] = []
    page.on('request', request => asked.push(request.url()))
    const texts = () => asked.filter(address => address.includes('guide-sections'))
    await search.fill('cancel timer')
    await page.getByRole('link', { name: 'Trading: Cancel timer' }).waitFor()
    const found = page.locator('.guide-search ol a')
    t.equal(await found.first().textContent(), 'Trading: Cancel timer', 'headings first')
    t.equal(texts().length, 1, 'the texts are loaded once')
    await search.fill('qwertyuiop')
    await page.getByText('No matches').waitFor()
    t.equal(await found.count(), 0)
    await search.fill('(* [cancel timer')
    await page.getByText('No matches').waitFor()
    await search.fill('cancel timer')
    await found.first().waitFor()
    await search.press('Enter')
    await page.waitForURL('**/docs/guides/trading#cancel-timer')
    await page.getByRole('searchbox', { name: 'Search the guides' }).fill('operator.key')
    await found.first().waitFor()
    t.match(await page.locator('.guide-search mark').first().textContent(), 'operator.key')
    t.same(complaints, [])
    await closePage(page)
  })

  await t.test('their pages are accessible in both themes and as narrow as a phone', async t => {
    const pages = ['/docs', '/docs/api/orders', '/docs/api/websocket', '/docs/guides', '/docs/guides/trading']
    for (const theme of ['light', 'dark'] as const) {
      const { page } = await openPage(browser, server.url, { width: 360, colorScheme: theme })
      for (const path of pages) {
        await page.goto(server.url + path)
        t.same(await seriousIn(page), [], `${path}, ${theme}`)
        t.equal(await isTooWide(page), false, path)
      }
      const words = page.locator('.guide td code', { hasText: /^\w+$/ })
      const lines = await words.evaluateAll(codes => codes.map(code => code.getClientRects().length))
      t.ok(lines.length > 10 && lines.every(count => count === 1), 'tables break no word')
      await closePage(page)
    }
  })
})
