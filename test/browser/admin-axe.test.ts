import type { Page } from 'playwright-core'
import t from 'tap'
import { noBrowser, openAdmin, openPage } from '../fixtures/browser.js'
import { startTestServer } from '../fixtures/server-process.js'
import { isTooWide, seriousIn } from './axe.js'
import { sharedBrowser } from './shared-browser.js'
import { tooWideZoomed } from './zoom.js'

const LOOKS = [
  ['light', 1280],
  ['dark', 360],
] as const

interface View {
  readonly name: string
  readonly path: string
  /** A locator that appears once the page is complete. */
  readonly ready: string
  /** Steps to take from there. */
  readonly go?: (page: Page) => Promise<void>
}

t.test("axe-core finds nothing serious on the operator's pages", { skip: noBrowser }, async t => {
  const server = await startTestServer(t)
  const { client } = server
  const browser = await sharedBrowser(t)
  const check = async (page: Page, name: string) => {
    t.same(await seriousIn(page), [], name)
    t.notOk(await isTooWide(page), `${name} fits`)
  }
  for (const [colorScheme, width] of LOOKS) {
    const { page } = await openAdmin(browser, server, '', { colorScheme, width })
    await page.getByRole('heading', { name: 'Create your first event' }).waitFor()
    await check(page, `an empty exchange, ${colorScheme}`)
  }

  const [open, closed, resolved] = [
    await client.createEvent({ title: 'A question that is quite long, for a title of an event, is it not?' }),
    await client.createEvent(),
    await client.createEvent(),
  ]
  for (const code of [open, closed, resolved]) {
    await client.placeOrder(code, { userid: 'asha', l1_order_quantity: 50 })
    await client.placeOrder(code, { userid: 'ravi', l1_order_quantity: 20, offer_type: 'sell' })
  }
  for (const code of [closed, resolved]) await client.post(`/events/${code}/close`, {})
  await client.send('PUT', `/events/${open}/image`, JSON.stringify({ emoji: '🏏' }))
  await client.post(`/events/${resolved}/resolve`, { outcome: 'no', note: 'So it was.' })
  for (const text of ['Rain is likely.', 'Nonsense'.repeat(20)])
    await client.post(`/events/${open}/comments`, { userid: 'asha', text })
  await client.post(`/events/${open}/comments/2/hide`, { reason: 'Shouting' })
  await client.post('/admin/backup', {})

  const views: readonly View[] = [
    { name: 'events', path: '', ready: '.events' },
    { name: 'new', path: '/new', ready: '.terms', go: page => page.click('.form-foot .button') },
    { name: 'bulk', path: '/bulk', ready: 'input[type=file]' },
    { name: 'picture', path: `/event/${open}`, ready: '.event-emoji' },
    { name: 'open', path: `/event/${open}`, ready: '.steps', go: page => page.click('.button-danger-quiet') },
    { name: 'edit', path: `/event/${open}`, ready: '.steps', go: page => page.getByText('Edit').click() },
    {
      name: 'settle',
      path: `/event/${closed}`,
      ready: '.steps',
      go: async page => {
        await page.click('.outcome-yes')
        await page.locator('.settle-form').waitFor()
      },
    },
    { name: 'resolved', path: `/event/${resolved}`, ready: '.resolved' },
    {
      name: 'users',
      path: '/users',
      ready: 'tfoot',
      go: page => page.getByText('Deposit / withdraw').first().click(),
    },
    {
      name: 'health',
      path: '/health',
      ready: '.backup-file',
      go: async page => {
        await page.getByRole('button', { name: 'Verify', exact: true }).click()
        await page.getByText('the cash of all accounts sums to zero').waitFor()
      },
    },
    {
      name: 'comments',
      path: '/comments',
      ready: 'tbody tr',
      go: page => page.getByRole('button', { name: 'Hide the comment by asha' }).click(),
    },
    { name: 'log', path: '/actions?from=2026-01-01', ready: 'tbody tr' },
    { name: 'audit', path: '/audit', ready: 'main .card' },
    { name: 'user', path: '/user/asha?tab=results', ready: '.user-tabs' },
    {
      name: 'suspend',
      path: '/user/ravi',
      ready: '.user-tabs',
      go: page => page.getByRole('button', { name: 'Suspend trading' }).click(),
    },
    { name: 'none', path: '/event/9999999', ready: 'h1' },
  ]
  for (const [colorScheme, width] of LOOKS) {
    const { page, complaints } = await openAdmin(browser, server, '', { colorScheme, width })
    for (const { name, path, ready, go } of views) {
      await page.goto(`${server.url}/admin${path}`)
      await page.locator(ready).first().waitFor()
      await check(page, `${name}, ${colorScheme}, ${width} px`)
      if (width > 1000) t.same(await tooWideZoomed(page), [], `${name} fits, zoomed`)
      if (go === undefined) continue
      await go(page)
      await check(page, `${name}, gone on, ${colorScheme}, ${width} px`)
    }
    // Chromium reports the 404 of the missing event.
    t.same(
      complaints.filter(text => !text.includes('404')),
      [],
    )
  }
})

t.test('axe-core finds nothing serious on the sign-in page', { skip: noBrowser }, async t => {
  const server = await startTestServer(t)
  const browser = await sharedBrowser(t)
  for (const [colorScheme, width] of LOOKS) {
    const { page } = await openPage(browser, `${server.url}/admin`, { colorScheme, width })
    await page.getByLabel('Operator’s key', { exact: true }).fill('wrong')
    await page.keyboard.press('Enter')
    await page.getByText('Wrong key.').waitFor()
    t.same(await seriousIn(page), [], colorScheme)
    t.notOk(await isTooWide(page))
  }
})
