import type { Page } from 'playwright-core'
import t from 'tap'
import { closePage, noBrowser, openPage } from '../fixtures/browser.js'
import { startTestServer } from '../fixtures/server-process.js'
import { isTooWide, seriousIn } from './axe.js'
import { sharedBrowser } from './shared-browser.js'

const step = (page: Page) => page.locator('.first-bet [aria-current="step"]').textContent()

t.test('the first minutes of a stranger', { skip: noBrowser }, async t => {
  const server = await startTestServer(t)
  const codes: string[] = []
  for (const title of [
    'Rain on Sunday?',
    'Snow on Monday?',
    'Fog on Friday?',
    'Hail in May?',
    'Sun in July?',
  ]) {
    codes.push(await server.client.createEvent({ title, sot: 'weather' }))
  }
  const [code = ''] = codes
  await server.client.placeOrder(code, { userid: 'mira', offer_type: 'sell', l1_expected_price: 6.2 })
  const browser = await sharedBrowser(t)

  await t.test('the first three markets are cards, and none is shown twice', async t => {
    const { page, complaints } = await openPage(browser, server.url)
    await page.locator('.market-row').first().waitFor()
    t.equal(await page.locator('.featured-card').count(), 3)
    t.equal(await page.locator('.market-name').count(), codes.length)
    t.equal(await page.locator('.category-art').count(), codes.length, 'each has a picture')
    t.same(await seriousIn(page), [])
    let answer = () => {}
    const held = new Promise<void>(resolve => {
      answer = resolve
    })
    await page.route(/[?&]q=rain/, async route => {
      await held
      await route.continue()
    })
    await page.getByRole('searchbox').fill('rain')
    await page.locator('.market-lists[aria-busy="true"]').waitFor()
    t.equal(await page.locator('.featured-card').count(), 3, 'they stay until something is found')
    answer()
    await page.getByText('1 market', { exact: true }).waitFor({ state: 'attached' })
    t.equal(await page.locator('.market-name').count(), 1)
    await page.goto(`${server.url}/?q=rain`)
    await page.locator('.market-row').waitFor()
    t.equal(await page.locator('.featured-card').count(), 0, 'what was searched for is a list')
    t.same(complaints, [])
    await closePage(page)
  })

  await t.test('a newcomer is led through the first order, and never again', async t => {
    const { page } = await openPage(browser, `${server.url}/market/${code}`)
    await page.locator('.first-bet').waitFor()
    t.equal(await step(page), 'Pick YES or NO')
    await page.locator('.outcome-no').click()
    t.equal(await step(page), 'Choose an amount')
    await page.getByRole('button', { name: '₹500' }).click()
    t.equal(await step(page), 'See what you win, and buy')
    t.same(await seriousIn(page), [])
    await page.getByRole('button', { name: 'Skip', exact: true }).click()
    t.equal(await page.locator('.first-bet').count(), 0)
    await page.reload()
    await page.locator('.ticket-send').waitFor()
    t.equal(await page.locator('.first-bet').count(), 0, 'skipped once, it does not come back')
    await closePage(page)
  })

  await t.test('on a phone the pages are at the thumb and the money is in the header', async t => {
    const { page } = await openPage(browser, `${server.url}/market/${code}`, { user: 'mira', width: 360 })
    await page.locator('.buy-bar').waitFor()
    t.equal(await page.locator('.first-bet').count(), 0, 'a trader needs no guide')
    const nav = await page.locator('.trade-nav').boundingBox()
    const bar = await page.locator('.buy-bar').boundingBox()
    t.equal(Math.round((nav?.y ?? 0) + (nav?.height ?? 0)), 900, 'at the lower edge')
    t.ok((bar?.y ?? 0) + (bar?.height ?? 0) <= (nav?.y ?? 0) + 1, 'and the buttons to buy above them')
    t.match(await page.locator('.purse').textContent(), /₹/)
    t.equal(await page.locator('.purse').isVisible(), true)
    t.equal(await isTooWide(page), false)
    t.same(await seriousIn(page), [])
    await closePage(page)
  })

  await t.test('on a phone a newcomer is led from the buttons on, and told without a network', async t => {
    const { page } = await openPage(browser, `${server.url}/market/${code}`, { width: 360 })
    const guide = page.locator('.buy-bar .first-bet')
    await guide.getByText('Pick YES or NO').waitFor()
    t.equal(await guide.getByText('Choose an amount').isVisible(), false)
    t.equal(await isTooWide(page), false)
    t.same(await seriousIn(page), [])
    await page.getByRole('button', { name: /^Buy NO/ }).click()
    await page.locator('.sheet .first-bet').waitFor()
    t.equal(await step(page), 'Choose an amount')
    await page.context().setOffline(true)
    const offline = page.locator('.sheet .ticket-send', { hasText: 'Offline' })
    await offline.waitFor()
    t.equal(await offline.isDisabled(), true)
    await page.context().setOffline(false)
    await page.locator('.sheet .ticket-send:enabled').waitFor()
    await closePage(page)
  })
})
