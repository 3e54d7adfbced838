import t from 'tap'
import { noBrowser, openPage } from '../fixtures/browser.js'
import { startTestServer } from '../fixtures/server-process.js'
import { sharedBrowser } from './shared-browser.js'

const LONG = 'W'.repeat(180)

t.test('finding a market', { skip: noBrowser }, async t => {
  const server = await startTestServer(t)
  for (let index = 0; index < 45; index++) {
    await server.client.createEvent({ title: index === 44 ? LONG : `Rain in town ${index}` })
  }
  const browser = await sharedBrowser(t)
  const { page, complaints } = await openPage(browser, server.url, { width: 360 })
  const asked: string[] = []
  page.on('request', request => asked.push(request.url()))
  await page.reload()
  const rows = page.locator('.market-row')
  await rows.first().waitFor()

  t.notOk(
    asked.some(address => address.includes('/candles')),
    'no row asks for its own line',
  )
  t.notOk(
    asked.some(address => address.includes('limit=1000')),
    'the list comes in pages',
  )
  const width = await page.evaluate('document.documentElement.scrollWidth')
  t.equal(width, 360, 'an unbroken title does not widen the page')

  await page.getByRole('searchbox').fill('town 17')
  t.equal(await page.locator('.market-list').count(), 1, 'the list stays until the next one is there')
  const found = page.getByRole('link', { name: 'Rain in town 17' })
  await rows.nth(1).waitFor({ state: 'detached' })
  await found.click()
  await page.getByRole('heading', { name: 'Rain in town 17' }).waitFor()
  await page.goBack()
  await found.waitFor()
  t.equal(await page.getByRole('searchbox').inputValue(), 'town 17', 'Back keeps the search')
  await page.getByRole('button', { name: 'Watch Rain in town 17' }).click()
  await page.reload()
  await found.waitFor()
  t.equal(await page.getByRole('searchbox').inputValue(), 'town 17', 'so does a reload')

  await page.goto(`${server.url}/?view=watchlist`)
  await found.waitFor()
  t.equal(await rows.count(), 1, 'the watchlist is remembered without a username')
  await page.getByRole('button', { name: 'Watch Rain in town 17' }).click()
  await page.getByText('Your watchlist is empty').waitFor()
  t.same(complaints, [])
})
