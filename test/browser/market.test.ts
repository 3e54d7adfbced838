import t from 'tap'
import { closePage, noBrowser, openPage } from '../fixtures/browser.js'
import { startTestServer } from '../fixtures/server-process.js'
import { seriousIn } from './axe.js'
import { sharedBrowser } from './shared-browser.js'

const HOUR_MS = 3_600_000

t.test('a market page on a desk and on a phone', { skip: noBrowser }, async t => {
  const server = await startTestServer(t)
  const { client } = server
  const browser = await sharedBrowser(t)
  const trade = async (code: string, price: number, quantity: number, taker = 'asha') => {
    const order = { l1_expected_price: price, l1_order_quantity: quantity }
    await client.placeOrder(code, { ...order, userid: 'ravi', offer_type: 'sell' })
    await client.placeOrder(code, { ...order, userid: taker })
  }

  await t.test('figures move while the page is open', async t => {
    const code = await client.createEvent()
    const { page, complaints } = await openPage(browser, `${server.url}/market/${code}`)
    const facts = page.locator('.market-facts')
    await facts.getByText('0 contracts traded').waitFor()
    await trade(code, 6.2, 10)
    await facts.getByText('10 contracts traded').waitFor()
    t.match(await facts.textContent(), /open interest 10.*2 traders/)
    t.same(complaints, [])
    await closePage(page)
  })

  await t.test('a phone shows the quantity of each trade, and words of any length wrap', async t => {
    const word = 'o'.repeat(150)
    const code = await client.createEvent({
      title: `W${word}w?`,
      description: word,
      category: 'x'.repeat(32),
    })
    await trade(code, 2.2, 30)
    const { page } = await openPage(browser, `${server.url}/market/${code}`, { width: 360 })
    const row = page.locator('.tape tbody tr')
    await row.waitFor()
    t.match(await row.textContent(), /YES₹2\.20₹7\.8030$/, 'each side in its own terms')
    const box = await row.locator('td').last().boundingBox()
    t.ok((box?.x ?? 999) + (box?.width ?? 999) <= 360, 'the quantity is on the screen')
    t.equal(await page.evaluate('document.documentElement.scrollWidth'), 360)

    await page.locator('.buy-bar .button-yes').click()
    const swipe = async (from: number, to: number) => {
      const at = (clientX: number) => [{ identifier: 0, clientX, clientY: 400 }]
      const outcomes = page.locator('.outcomes')
      await outcomes.dispatchEvent('touchstart', { touches: at(from), changedTouches: at(from) })
      await outcomes.dispatchEvent('touchend', { touches: [], changedTouches: at(to) })
      return (await page.getByRole('radio', { name: /^NO/ }).last().isChecked()) ? 'no' : 'yes'
    }
    t.equal(await swipe(100, 180), 'no', 'a swipe to the right chooses the outcome there')
    t.equal(await swipe(180, 160), 'no', 'a tremble chooses nothing')
    t.equal(await swipe(180, 100), 'yes')
    await closePage(page)
  })

  await t.test('a new market begins with a limit in the middle, and says what it pays', async t => {
    const code = await client.createEvent({ payout: 100 })
    const { page } = await openPage(browser, `${server.url}/market/${code}`)
    await page.locator('.market-facts', { hasText: 'pays ₹100' }).waitFor()
    await page.locator('#ticket-price').waitFor()
    t.equal(await page.inputValue('#ticket-price'), '50.00')
    t.equal(await page.getByText('No sellers right now').count(), 0)
    await client.placeOrder(code, { l1_expected_price: 40 })
    await page.locator('.ladder-yes').waitFor()
    t.equal(
      await page.locator('.ladder-row').count(),
      1 + 1,
      'a thin book takes no more room than its levels',
    )
    const { page: list } = await openPage(browser, server.url)
    await list.locator('.market-row', { hasText: 'pays ₹100' }).waitFor()
    await closePage(list)
    await client.post(`/events/${code}/close`, {})
    await page.locator('.facts', { hasText: 'closed early' }).waitFor()
    await closePage(page)
  })

  await t.test('the keyboard reads the chart and walks the ladder', async t => {
    const code = await client.createEvent()
    await trade(code, 6.2, 30)
    for (const price of [5, 5.5]) await client.placeOrder(code, { l1_expected_price: price })
    const { page, complaints } = await openPage(browser, `${server.url}/market/${code}`)
    const chart = page.getByRole('slider', { name: 'Chance over time' })
    await page.locator('.plot-over').waitFor()
    await chart.focus()
    await page.keyboard.press('Home')
    await page.locator('.chart-readout', { hasText: /YES 62%.*30 traded/ }).waitFor()
    t.match(await chart.getAttribute('aria-valuetext'), /YES 62%, .*30 traded/)
    await page.locator('.chart .segment', { hasText: 'NO' }).click()
    await page.locator('.chart-readout', { hasText: 'NO 38%' }).waitFor()
    await page.getByRole('button', { name: '1W: Last week' }).press('Enter')
    await page.locator('[aria-pressed="true"]', { hasText: '1W' }).waitFor()

    await page.locator('.ladder-price').first().focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    t.equal(await page.inputValue('#ticket-price'), '5.00')
    t.same(complaints, [])
    await closePage(page)
  })

  await t.test('a finished market says first how it ended and what it paid me', async t => {
    const code = await client.createEvent()
    await trade(code, 6.2, 10)
    const { page, complaints } = await openPage(browser, `${server.url}/market/${code}`, { user: 'asha' })
    await page.locator('.ticket').waitFor()
    await client.post(`/events/${code}/close`, {})
    await page.getByText('Trading has closed. Awaiting result.').waitFor()
    t.equal(await page.locator('.ticket').count(), 0, 'there is no dead ticket')
    await client.post(`/events/${code}/resolve`, { outcome: 'yes', note: 'It rained.' })
    await page.locator('.result', { hasText: 'Resolved: YES' }).waitFor()
    await page
      .locator('.result-own', {
        hasText: 'Your profit+₹38.00called at 62%You held10 YESInvested₹62.00Payout₹100.00',
      })
      .waitFor()
    const tops = await Promise.all(
      ['.result', '.chart', '.tape'].map(async part => (await page.locator(part).boundingBox())?.y ?? 0),
    )
    t.same(
      tops,
      tops.toSorted((a, b) => a - b),
      'the result stands above the chart',
    )

    // In the list of those that have ended, the result is what one sees, and its day.
    await page.goto(`${server.url}/?view=ended`)
    const row = page.locator('.market-row', { has: page.locator(`a[href='/market/${code}']`) })
    await row.locator('.ended', { hasText: /^Resolved \d+ \w+/ }).waitFor()
    const [result, chance] = await Promise.all(
      ['.ended-yes', '.chance small'].map(part =>
        row.locator(part).evaluate(element => {
          const style = element.ownerDocument.defaultView?.getComputedStyle(element)
          return {
            text: element.textContent,
            size: Number.parseFloat(style?.fontSize ?? ''),
            color: style?.color,
          }
        }),
      ),
    )
    t.same([result?.text, chance?.text], ['YES', 'last price 62%'])
    t.ok((result?.size ?? 0) > 1.4 * (chance?.size ?? 0), 'the result is large, the last price small')
    t.not(result?.color, chance?.color)
    t.same(complaints, [])
    await closePage(page)
  })

  await t.test('a status is shown at once, and its event fetched in a moment of each page', async t => {
    const code = await client.createEvent()
    const { page, complaints } = await openPage(browser, `${server.url}/market/${code}`)
    await page.locator('#ticket-price').waitFor()
    const ownMs = await page.evaluate<number>('300 + (performance.timeOrigin % 900)')
    let asked = 0
    page.on('request', request => {
      if (request.url().endsWith(`/events/${code}`)) asked++
    })
    await page.clock.install()
    await page.clock.pauseAt(Date.now() + HOUR_MS)
    await client.post(`/events/${code}/halt`, {})
    await page.getByText('Trading is halted.').waitFor()
    // The result is in no message; what is sure is that nobody can trade.
    await client.post(`/events/${code}/close`, {})
    await client.post(`/events/${code}/resolve`, { outcome: 'void' })
    await page.getByText('Trading has closed. Awaiting result.').waitFor()
    await page.clock.runFor(Math.floor(ownMs) - 1)
    t.equal(asked, 0)
    await page.clock.runFor(2)
    await page.getByText('This market is void').waitFor()
    t.equal(asked, 1)
    t.same(complaints, [])
    await closePage(page)
  })

  await t.test('a void market says what was refunded', async t => {
    const code = await client.createEvent({ end_date: new Date(Date.now() + HOUR_MS).toISOString() })
    await trade(code, 6.2, 10)
    await client.post(`/events/${code}/close`, {})
    await client.post(`/events/${code}/resolve`, { outcome: 'void' })
    const { page } = await openPage(browser, `${server.url}/market/${code}`, { user: 'asha', width: 360 })
    await page.locator('.result-own', { hasText: 'Refunded to you₹62.00' }).waitFor()
    t.equal(await page.locator('.ticket').count(), 0)
    t.same(await seriousIn(page), [])
    await closePage(page)
  })
})
