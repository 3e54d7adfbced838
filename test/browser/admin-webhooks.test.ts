import { BlockList } from 'node:net'
import { Webhook } from 'standardwebhooks'
import t from 'tap'
import { noBrowser, openAdmin } from '../fixtures/browser.js'
import { startTestServer } from '../fixtures/server-process.js'
import { openReceiver } from '../fixtures/webhooks/receiver.js'
import { isTooWide, seriousIn } from './axe.js'
import { sharedBrowser } from './shared-browser.js'

t.test(
  'an operator adds a webhook, tests it, rotates its secret and deletes it',
  { skip: noBrowser },
  async t => {
    const webhookAllow = new BlockList()
    webhookAllow.addSubnet('127.0.0.0', 8)
    const server = await startTestServer(t, { webhookAllow })
    const receiver = await openReceiver(t)
    const browser = await sharedBrowser(t)
    const { page, complaints } = await openAdmin(browser, server)
    await page.getByText('More', { exact: true }).click()
    await page.getByRole('link', { name: 'Webhooks' }).click()
    await page.getByText('No webhooks yet.').waitFor()

    const add = page.getByRole('button', { name: 'Add webhook' })
    await page.getByLabel('Event created').uncheck()
    await page.getByLabel('Result set').uncheck()
    await page.getByLabel('Address').fill('hooks.example.org')
    await add.click()
    await page.getByText('Choose at least one.').waitFor()
    await page.getByLabel('Event halted').check()
    await add.click()
    await page.getByText('Enter an address such as').waitFor()
    t.same(await seriousIn(page), [])
    await page.getByLabel('Address').fill(receiver.url)
    await add.click()
    const secret = page.getByLabel('Secret', { exact: true })
    await page.getByText('It is shown this once.').waitFor()
    await page.getByText('Nothing has been sent yet.').waitFor()
    t.equal(
      await page.getByRole('heading', { name: 'Deliveries' }).count(),
      1,
      'an empty card has its heading',
    )
    const first = await secret.inputValue()
    t.match(first, /^whsec_/)
    t.notMatch(await page.content(), /very-secret-path|also-secret/, 'its path and query are not shown')

    await page.getByRole('button', { name: 'Send test' }).click()
    await page.getByText(/^The receiver answered 204 in \d+ ms\.$/).waitFor()
    const [sent] = receiver.requests
    t.match(sent && new Webhook(first).verify(sent.body, { ...sent.headers }), { type: 'test' })
    await page.getByRole('row', { name: 'Test' }).getByText('204').waitFor()
    t.same(await seriousIn(page), [])

    await page.getByRole('button', { name: 'Rotate secret' }).click()
    await page.getByText('Requests have signatures by the old secret as well').waitFor()
    t.match(await secret.inputValue(), /^whsec_/)
    t.not(await secret.inputValue(), first)
    await page.getByRole('button', { name: 'Done' }).click()
    t.equal(await secret.count(), 0, 'it is gone')

    const head = page.getByRole('heading', { level: 2 }).first()
    await page.getByRole('button', { name: 'Disable' }).click()
    await head.getByText('Disabled').waitFor()
    await page.getByRole('button', { name: 'Replay…' }).click()
    await page.getByLabel('From batch').fill('0')
    await page.getByRole('button', { name: 'Send again' }).click()
    await page.getByText('A whole number, such as').waitFor()
    await page.getByLabel('From batch').fill('1')
    await page.getByRole('button', { name: 'Send again' }).click()
    await page.getByLabel('From batch').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Edit…' }).click()
    await page.getByLabel('Disk almost full').check()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Event halted, Disk almost full').waitFor()

    for (const width of [360, 768]) {
      const { page: narrow } = await openAdmin(browser, server, '/webhooks', { width })
      await narrow.route(/:\d+\/webhooks$/, async route => {
        const response = await route.fetch()
        const body = (await response.json()) as { additional: { webhooks?: object[] } }
        for (const webhook of body.additional.webhooks ?? []) {
          Object.assign(webhook, { next_attempt_at: '2026-11-29T15:57:00.000Z' })
        }
        await route.fulfill({ response, json: body })
      })
      await narrow.reload()
      await narrow.getByRole('button', { name: 'Manage' }).click()
      await narrow.getByRole('row', { name: 'Test' }).waitFor()
      await narrow.locator('.figures-line', { hasText: '29 Nov 2026' }).waitFor()
      const isOut = await narrow.evaluate<boolean>(`(() => {
        const card = document.querySelector('.figures-line').getBoundingClientRect()
        return [...document.querySelectorAll('.figures-line dd')].some(figure => {
          const range = document.createRange()
          range.selectNodeContents(figure)
          return range.getBoundingClientRect().right > card.right
        })
      })()`)
      t.notOk(isOut, `the figures of a webhook stay in its card at ${width}`)
    }

    const phone = await openAdmin(browser, server, '/webhooks', { width: 360, colorScheme: 'dark' })
    await phone.page.getByRole('button', { name: 'Manage' }).click()
    await phone.page.getByRole('row', { name: 'Test' }).waitFor()
    t.notOk(await isTooWide(phone.page))
    const duration = { name: 'Duration' } as const
    t.equal(await page.getByRole('columnheader', duration).count(), 1)
    t.equal(await phone.page.getByRole('columnheader', duration).count(), 0, 'the answer has its room')
    t.same(await seriousIn(phone.page), [])

    await page.getByRole('button', { name: 'Delete…' }).click()
    await page.getByRole('button', { name: 'Delete webhook' }).click()
    await page.getByText('No webhooks yet.').waitFor()
    t.same((await server.client.get('/webhooks')).body.additional, { webhooks: [] })
    await phone.page.getByText('No webhooks yet.').waitFor()
    // Chromium reports the refusals.
    t.same(
      complaints.filter(text => !text.includes('422')),
      [],
    )
  },
)
