import type { Page } from 'playwright-core'
import t from 'tap'
import { noBrowser, openAdmin, openPage } from '../fixtures/browser.js'
import { dataDirectory } from '../fixtures/server/server-directory.js'
import { spawnTestServer } from '../fixtures/server-process.js'
import { sharedBrowser } from './shared-browser.js'

const TITLE = 'Will the monsoon reach Kerala in May?'

const live = (page: Page) => page.locator('.badge', { hasText: 'Live' }).waitFor()
const offline = (page: Page) => page.locator('.badge', { hasText: 'Offline' }).waitFor()

/** Buys an outcome at a price, with the ticket. */
async function buy(page: Page, outcome: 'YES' | 'NO', price: string, quantity: string): Promise<void> {
  await page.locator(`.outcome-${outcome.toLowerCase()}`).click()
  await page.fill('#ticket-price', price)
  await page.fill('#ticket-quantity', quantity)
  await page.click('.ticket-send')
}

t.test(
  'an event is created, traded, halted, closed, settled and paid, across two kills',
  { skip: noBrowser },
  async t => {
    const data = dataDirectory(t)
    const first = await spawnTestServer(t, { data })
    const flags = ['--port', new URL(first.url).port]
    const browser = await sharedBrowser(t)
    const operator = await openAdmin(browser, first)
    const admin = operator.page

    // The operator creates the first event.
    await admin.getByRole('heading', { name: 'Create your first event' }).waitFor()
    await admin.getByRole('link', { name: 'Create your first event' }).click()
    await admin.getByLabel('Question').fill(TITLE)
    await admin.getByLabel('Rules').fill('YES if the department says so by 31 May.')
    await admin.getByLabel('Category').fill('Weather')
    await admin.getByRole('button', { name: 'Create event' }).click()
    await admin.getByRole('heading', { name: TITLE }).waitFor()
    const code = new URL(admin.url()).pathname.slice(-7)
    t.equal(code, '1000001')

    // Two users trade it, each from a page of their own.
    const address = `${first.url}/market/${code}`
    const { page: asha, complaints: ashas } = await openPage(browser, address, { user: 'asha' })
    const { page: ravi, complaints: ravis } = await openPage(browser, address, { user: 'ravi' })
    await live(asha)
    await live(ravi)
    await buy(asha, 'YES', '6', '10')
    await asha.getByText('Placed: 10 YES resting at ₹6.00.').waitFor()
    await ravi.locator('.ladder-yes', { hasText: '10' }).waitFor()
    await buy(ravi, 'NO', '3', '5')
    await ravi.getByText('Placed: 5 NO resting at ₹3.00.').waitFor()
    await asha.locator('.ladder-no', { hasText: '5' }).waitFor()
    await buy(ravi, 'NO', '4', '4')
    await asha.locator('.held', { hasText: '4 YES' }).waitFor()
    await ravi.locator('.held', { hasText: '4 NO' }).waitFor()

    // One cancels, and the other sees it go.
    await ravi.locator('[aria-label^="Cancel buy NO"]').click()
    await asha.locator('.ladder-no').waitFor({ state: 'detached' })

    // The server is killed: every page says so, and recovers by itself.
    await first.kill('SIGKILL')
    await Promise.all([offline(admin), offline(asha), offline(ravi)])
    t.ok(await ravi.locator('.ticket-send', { hasText: 'Offline' }).isDisabled(), 'no order can be sent')
    const second = await spawnTestServer(t, { data, flags })
    await Promise.all([live(admin), live(asha), live(ravi)])
    await asha.locator('.ladder-yes', { hasText: '6 yours' }).waitFor()

    // The operator halts; nobody can trade; and resumes.
    await admin.getByRole('button', { name: 'Halt' }).click()
    await admin.getByText('Halted. Resting orders stay').waitFor()
    await ravi.getByText('Trading is halted. Resting orders').waitFor()
    await admin.getByRole('button', { name: 'Resume' }).click()
    await ravi.getByText('Trading is halted. Resting orders').waitFor({ state: 'detached' })

    // Closing asks twice.
    t.ok(
      await admin.getByRole('button', { name: 'YES', exact: true }).isDisabled(),
      'not before it is closed',
    )
    await admin.getByRole('button', { name: 'Close…' }).click()
    const dialog = admin.getByRole('dialog')
    await dialog.getByText('4 YES and 4 NO contracts stay open').waitFor()
    t.ok(
      await dialog.getByRole('button', { name: 'Close event' }).isDisabled(),
      'not before one has ticked it',
    )
    await dialog.getByRole('checkbox').check()
    await dialog.getByRole('button', { name: 'Close event' }).click()
    await asha.getByText('Trading has closed. Awaiting result.').waitFor()

    // Settlement takes two steps.
    await admin.getByRole('button', { name: 'YES', exact: true }).click()
    t.match(await admin.locator('.sum').textContent(), /From escrow\+₹40\.00.*traders−₹40\.00Left over₹0\.00/)
    const rows = await admin.locator('.payouts tbody tr').allTextContents()
    t.same(rows.sort(), ['asha40₹24.00₹40.00+₹16.00', 'ravi04₹16.00₹0.00−₹16.00'])
    const settle = admin.getByRole('button', { name: 'Resolve YES' })
    t.ok(await settle.isDisabled(), 'not without the code')
    await admin.getByLabel(/type the event code/).fill('1000002')
    t.ok(await settle.isDisabled(), 'nor with another')
    await admin.getByLabel('Note (optional)').fill('It came on the 30th.')
    await admin.getByLabel(/type the event code/).fill(code)

    // The server is killed once more, between the two steps.
    await second.kill('SIGKILL')
    await offline(admin)
    const third = await spawnTestServer(t, { data, flags })
    await live(admin)
    await settle.click()
    await admin.getByText('Resolved: YES').first().waitFor()
    await admin.getByText('All payouts complete.').waitFor()

    // Both see the outcome and their balances.
    for (const [page, money] of [
      [asha, '₹10,00,016.00'],
      [ravi, '₹9,99,984.00'],
    ] as const) {
      await page.getByText('Resolved: YES', { exact: true }).waitFor()
      await page.getByText('It came on the 30th.').waitFor()
      await page.locator('.purse', { hasText: money }).waitFor()
    }
    await admin.getByText('More', { exact: true }).click()
    await admin.getByRole('link', { name: 'Log' }).click()
    await admin.locator('.log-time').first().waitFor()
    const log = await admin.locator('.card tbody b').allTextContents()
    t.same(log, ['Resolved', 'Closed', 'Resumed', 'Halted', 'Created'])
    await admin.getByRole('link', { name: 'Health' }).click()
    await admin.getByRole('button', { name: 'Verify' }).click()
    await admin.getByText('Everything adds up').waitFor()
    t.match((await third.client.get('/ledger/verify')).body.additional, { ok: true })
    for (const complaints of [operator.complaints, ashas, ravis]) {
      // Chromium reports the requests that failed while the server was down.
      t.same(
        complaints.filter(text => !/ERR_|WebSocket connection/.test(text)),
        [],
      )
    }
  },
)
