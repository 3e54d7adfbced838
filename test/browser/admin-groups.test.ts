import t from 'tap'
import { noBrowser, openAdmin } from '../fixtures/browser.js'
import { startTestServer } from '../fixtures/server-process.js'
import { isTooWide, seriousIn } from './axe.js'
import { sharedBrowser } from './shared-browser.js'

t.test(
  'an operator creates, closes and resolves a group, and sees its fees',
  { skip: noBrowser },
  async t => {
    const server = await startTestServer(t)
    const { client, url } = server
    const browser = await sharedBrowser(t)
    const { page, complaints } = await openAdmin(browser, server, '/groups')
    await page.getByRole('heading', { name: 'No groups yet' }).waitFor()
    await page.getByRole('link', { name: 'New group' }).click()

    await page.getByLabel('Question').fill('Who wins the cup?')
    await page.getByLabel('Rules').fill('The winner of the final.')
    await page.getByLabel('Outcomes', { exact: true }).fill('India\nAustralia\nindia!')
    await page.getByText('Add “None of these”').click()
    await page.getByLabel('Taker fee').fill('100')
    await page.getByText('1% of price').first().waitFor()
    await page.getByRole('button', { name: 'Create group' }).click()
    await page.getByText('“India” is there twice.').waitFor()
    t.equal(await page.getByLabel('Question').inputValue(), 'Who wins the cup?', 'what was typed stays')
    t.same(await seriousIn(page), [])
    await page.getByLabel('Outcomes', { exact: true }).fill('India\nAustralia\n?')
    await page.getByRole('button', { name: 'Create group' }).click()
    await page.getByText('“?”: Use at least one letter or digit.').waitFor()
    await page.getByLabel('Outcomes', { exact: true }).fill('India\nAustralia')
    await page.getByRole('button', { name: 'Create group' }).click()
    await page.getByRole('heading', { name: 'Who wins the cup?' }).waitFor()

    const order = { l1_expected_price: 4, l1_order_quantity: 100 }
    await client.placeOrder('1000002', { ...order, userid: 'ben', offer_type: 'buy' })
    await client.placeOrder('1000002', { ...order, userid: 'asha', offer_type: 'sell' })
    await page.getByText('₹1,002.40').waitFor()
    t.same(await seriousIn(page), [])
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await page.getByLabel('Maker fee').fill('1001')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('Enter whole basis points').waitFor()
    await page.getByLabel('Maker fee').fill('20')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('Taker 1% · maker 0.2%').waitFor()

    t.ok(await page.getByRole('button', { name: 'Set the winner' }).isDisabled(), 'not while it trades')
    await page.getByRole('button', { name: 'Close 3…' }).click()
    await page.getByText('I understand that trading ends now').click()
    await page.getByRole('button', { name: 'Close group' }).click()
    await page.getByRole('button', { name: 'Eliminate one' }).click()
    await page.getByLabel('Outcome that can no longer win').selectOption({ label: 'Australia' })
    await page.getByText('The group can still be voided').waitFor()
    await page.getByLabel('type the group’s code').fill('1000001')
    await page.getByRole('button', { name: 'Eliminate outcome' }).click()
    await page.getByText('The outcome is eliminated.').waitFor()
    await page.getByRole('button', { name: 'Set the winner' }).click()
    await page.getByLabel('Winner').selectOption({ label: 'India' })
    await page.getByText('Traders are paid ₹1,000.00').waitFor()
    await page.getByLabel('type the group’s code').waitFor()
    t.match(await page.locator('.sum').textContent(), /To traders−₹1,000\.00.*Left over₹0\.00/)
    t.ok((await page.locator('.payouts tbody tr').count()) > 0, 'user by user')
    t.same(await seriousIn(page), [])
    const doIt = page.getByRole('button', { name: 'Set winner', exact: true })
    await page.getByLabel('type the group’s code').fill('1000002')
    t.ok(await doIt.isDisabled(), 'the code of another')
    await page.getByLabel('type the group’s code').fill('1000001')
    await doIt.click()
    await page.getByText('Winner: India').waitFor()
    t.match((await client.get('/groups/1000001')).body.additional, { winner: '1000002' })

    await page.goto(`${url}/admin/event/1000002`)
    await page.getByText('Its money and its result are the group’s.').waitFor()
    await page.getByRole('link', { name: 'Who wins the cup?' }).waitFor()
    await page.goto(`${url}/admin/fees`)
    await page.getByRole('link', { name: 'Who wins the cup? India' }).waitFor()
    t.same(await seriousIn(page), [])
    await page.getByLabel('View').selectOption('event')
    await page.locator('tbody tr', { hasText: '₹2.40' }).waitFor()
    // Chromium reports the refused title.
    t.same(
      complaints.filter(text => !text.includes('422')),
      [],
    )

    const phone = await openAdmin(browser, server, '/groups/1000001', {
      ...{ width: 360, colorScheme: 'dark' },
    })
    await phone.page.getByText('Winner: India').waitFor()
    t.notOk(await isTooWide(phone.page))
    t.same(await seriousIn(phone.page), [])
    for (const path of ['/groups', '/groups/new', '/fees']) {
      await phone.page.goto(`${url}/admin${path}`)
      await phone.page.locator('h1').waitFor()
      t.notOk(await isTooWide(phone.page), path)
      t.same(await seriousIn(phone.page), [], path)
    }
  },
)
