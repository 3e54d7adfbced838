import type { Page } from 'playwright-core'
import t from 'tap'
import { adminLink, noBrowser, openAdmin, openPage } from '../fixtures/browser.js'
import { startTestServer } from '../fixtures/server-process.js'
import { cutTables, isTooWide, seriousIn } from './axe.js'
import { sharedBrowser } from './shared-browser.js'

const DAY_MS = 86_400_000

t.test(
  'an operator plans a season, previews its start, edits and deletes it',
  { skip: noBrowser },
  async t => {
    const server = await startTestServer(t)
    const browser = await sharedBrowser(t)
    const desk = await openAdmin(browser, server, '/seasons', { width: 768 })
    await desk.page.getByText('No seasons yet.').waitFor()
    t.same(await overlapping(desk.page), [], 'no field lies on another one')
    await desk.page.getByLabel('Name').fill('The autumn cup')
    await desk.page.getByLabel('Starts').fill(inputTime(Date.now() + DAY_MS))
    await desk.page.getByLabel('Ends').fill(inputTime(Date.now() + 30 * DAY_MS))
    await desk.page.getByLabel('Stake (₹)').fill('10,000')
    await desk.page.getByRole('button', { name: 'Create season' }).click()
    await desk.page.getByRole('row', { name: 'The autumn cup' }).waitFor()
    t.same(await cutTables(desk.page), [])

    for (const language of ['en', 'hi'] as const) {
      const { hash } = new URL(await adminLink(server))
      const address = `${server.url}/admin/seasons${hash}`
      const { page, complaints } = await openPage(browser, address, { width: 390, language })
      await page.getByText('The autumn cup').waitFor()
      t.same(await cutTables(page), [], `its buttons are in sight in ${language}`)
      t.match(await page.locator('tbody tr').innerText(), /₹10,000\.00/)
      t.notMatch(await page.locator('thead').innerText(), /₹/, 'one ₹ is enough')
      t.same(await overlapping(page), [])
      t.notOk(await isTooWide(page))
      t.same(await seriousIn(page), [])
      t.same(complaints, [])
    }

    await desk.page.getByRole('button', { name: 'Preview its start' }).click()
    await desk.page.getByText('The money of 0 of 0 users would change.').waitFor()

    // A field that stays as it is is not sent: it may hide the seconds of a time.
    const starts = new Date(Date.now() + DAY_MS).toISOString()
    await server.client.send('PATCH', '/seasons/1', JSON.stringify({ starts_at: starts }))
    await desk.page.reload()
    await desk.page.getByRole('button', { name: 'Edit' }).click()
    await desk.page.getByRole('heading', { name: 'Edit The autumn cup' }).waitFor()
    t.equal(await desk.page.evaluate('document.activeElement.id'), 'field-name')
    await desk.page.getByLabel('Name').fill('The winter cup')
    await desk.page.getByLabel('Stake (₹)').fill('none')
    await desk.page.getByRole('button', { name: 'Save' }).click()
    await desk.page.locator('#note-stake', { hasText: 'A number, such as 10,000.' }).waitFor()
    await desk.page.getByLabel('Stake (₹)').fill('20,000')
    t.same(await seriousIn(desk.page), [])
    await desk.page.getByRole('button', { name: 'Save' }).click()
    await desk.page.getByRole('row', { name: 'The winter cup' }).waitFor()
    await desk.page.getByRole('heading', { name: 'New season' }).waitFor()
    t.equal(await desk.page.inputValue('#field-name'), '')
    const { body } = await server.client.get('/seasons/1')
    t.match(body.additional, { name: 'The winter cup', starts_at: starts, stake: 20_000 })
    await desk.page.getByRole('button', { name: 'Edit' }).click()
    await desk.page.getByRole('button', { name: 'Cancel' }).click()
    await desk.page.getByRole('heading', { name: 'New season' }).waitFor()

    await desk.page.getByRole('button', { name: 'Delete', exact: true }).click()
    const dialog = desk.page.getByRole('dialog', { name: 'Delete The winter cup?' })
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
    await desk.page.getByText('No seasons yet.').waitFor()
    t.same(desk.complaints, [])
  },
)

/** Returns the local time of a moment, as inputs take it. */
function inputTime(at: number): string {
  const indian = new Date(at + 5.5 * 3_600_000)
  return indian.toISOString().slice(0, 16)
}

/** Returns the names of the fields of a form that lie on the field before them, or reach out of their card. */
function overlapping(page: Page): Promise<string[]> {
  return page.evaluate<
    string[]
  >(`[...document.querySelectorAll('.form-line input')].filter((one, at, all) => {
    const box = one.getBoundingClientRect()
    const before = all[at - 1]?.getBoundingClientRect()
    const card = one.closest('.card').getBoundingClientRect()
    const isOn = before !== undefined && before.bottom > box.top && before.right > box.left
    return isOn || box.right > card.right - 8
  }).map(one => one.id)`)
}
