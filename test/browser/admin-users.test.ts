import type { Locator, Page } from 'playwright-core'
import t from 'tap'
import { noBrowser, openAdmin } from '../fixtures/browser.js'
import { startTestServer } from '../fixtures/server-process.js'
import { sharedBrowser } from './shared-browser.js'

const USERS = /\/portfolio\?/

t.test('the totals show a gain or a loss as the rows do', { skip: noBrowser }, async t => {
  const server = await startTestServer(t)
  for (const userid of ['asha', 'mira', 'ravi']) {
    await server.client.post(`/portfolio/${userid}/deposit`, { amount: 1, txn_id: userid })
  }
  const { page } = await openAdmin(await sharedBrowser(t), server)
  const sumOf = async (profits: readonly number[]) => {
    await answerProfits(page, profits)
    await page.goto(`${server.url}/admin/users`)
    await page.locator('tbody tr').nth(2).waitFor()
    return shown(page.locator('tfoot td').nth(3))
  }
  t.same(await sumOf([500, 0.1, -20.5]), ['+₹479.60', 'gain'])
  t.same(await shown(page.locator('tbody td.gain').first()), ['+₹500.00', 'gain'], 'as a row')
  t.same(await sumOf([-500, 0, 20]), ['−₹480.00', 'loss'])
  t.same(await sumOf([0.1, 0.2, -0.3]), ['₹0.00', undefined], 'no gain of less than a paisa')
})

/** Puts profits into the answers: the exchange works out its figures every half minute. */
async function answerProfits(page: Page, profits: readonly number[]): Promise<void> {
  await page.unroute(USERS)
  await page.route(USERS, async route => {
    const response = await route.fetch()
    const body = (await response.json()) as { readonly additional: { readonly users: object[] } }
    for (const [place, user] of body.additional.users.entries()) {
      Object.assign(user, { figures: { profit: profits[place], volume: 10, last_seen: null } })
    }
    await route.fulfill({ response, json: body })
  })
}

/** Returns the text of a cell, and whether it is marked as a gain or a loss. */
async function shown(cell: Locator): Promise<[string, string | undefined]> {
  const classes = (await cell.getAttribute('class'))?.split(' ') ?? []
  return [await cell.innerText(), classes.find(name => name === 'gain' || name === 'loss')]
}
