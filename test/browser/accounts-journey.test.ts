import type { Page } from 'playwright-core'
import t from 'tap'
import { startAccounts } from '../fixtures/accounts-server.js'
import { adminLink, fillInSignIn, noBrowser, openPage } from '../fixtures/browser.js'
import type { Teardown } from '../fixtures/server/server-directory.js'
import { WsClient } from '../fixtures/sockets/ws-client.js'
import { isTooWide, seriousIn } from './axe.js'
import { sharedBrowser } from './shared-browser.js'

const ADMINS = 'the kettle sings at dawn'
const ASHAS = 'mangoes ripen in the loft'
const JSON_TYPE = { 'content-type': 'application/json' }

/** Gives a page a device with a screen lock that always says yes. */
async function addAuthenticator(t: Teardown, page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  t.teardown(() => session.detach())
  await session.send('WebAuthn.enable')
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

t.test(
  'the first admin invites, a phone signs up and trades, a passkey signs in, and a bot’s key is revoked',
  { skip: noBrowser },
  async t => {
    const server = await startAccounts(t)
    const code = await server.client.createEvent({ title: 'Will it rain?' })
    const browser = await sharedBrowser(t)

    // The link of the start creates the first admin.
    const { hash } = new URL(await adminLink(server))
    const { page: admin, complaints } = await openPage(browser, `${server.site}/admin${hash}`)
    await admin.getByRole('heading', { name: 'Create the first admin' }).waitFor()
    t.same(await seriousIn(admin), [])
    await fillInSignIn(admin, 'meera', 'meera')
    await admin.getByText('Use 10 to 256 characters.').waitFor()
    await fillInSignIn(admin, 'meera', ADMINS)
    await admin.getByRole('link', { name: 'Will it rain?' }).waitFor()

    // The admin makes an invitation; its link is shown once.
    await admin.getByRole('link', { name: 'Accounts' }).click()
    await admin.getByRole('cell', { name: 'meera', exact: true }).waitFor()
    await admin.getByRole('button', { name: 'Invite' }).click()
    await admin.getByRole('button', { name: 'Create invitation' }).click()
    const invitation = await admin.getByLabel('Invitation link').inputValue()
    await admin.getByRole('button', { name: 'Done' }).click()
    await admin.getByRole('heading', { name: 'Open invitations' }).waitFor()
    t.same(await seriousIn(admin), [])

    // Someone signs up on a phone, and trades.
    const { page: phone, complaints: phones } = await openPage(browser, invitation, {
      width: 360,
      colorScheme: 'dark',
    })
    await addAuthenticator(t, phone)
    await phone.getByText('You are invited.').waitFor()
    t.equal(phone.url(), `${server.site}/sign-up`, 'the invitation is not in the address')
    await phone.reload()
    await phone.getByText('You are invited.').waitFor()
    await fillInSignIn(phone, 'asha', ASHAS)
    await phone.getByRole('link', { name: 'Will it rain?' }).click()
    await phone.locator('.buy-bar .button-yes').click()
    await phone.fill('#ticket-price', '6')
    await phone.fill('#ticket-quantity', '60')
    await phone.getByRole('button', { name: 'Buy 10 YES' }).click()
    await phone.getByText('Placed: 10 YES resting at ₹6.00.').waitFor()
    await phone.getByRole('button', { name: 'Close' }).click()
    await phone.locator('.ladder-yes', { hasText: '10 yours' }).waitFor()

    // A passkey is added, and signs in.
    await phone.locator('.user-menu summary').click()
    await phone.getByRole('link', { name: 'Account' }).click()
    await phone.getByLabel('Name of this device').fill('my phone')
    await phone.getByRole('button', { name: 'Add a passkey' }).click()
    await phone.getByRole('cell', { name: 'my phone', exact: true }).waitFor()
    await phone.getByRole('button', { name: 'Rename the passkey my phone' }).click()
    const rename = phone.getByRole('dialog')
    await rename.getByLabel('Name of this device').fill(' ')
    await rename.getByRole('button', { name: 'Save' }).click()
    await rename.locator('#note-name.fault').waitFor()
    await rename.getByLabel('Name of this device').fill('work phone')
    await rename.getByRole('button', { name: 'Save' }).click()
    await phone.getByRole('cell', { name: 'work phone', exact: true }).waitFor()
    t.equal(await phone.getByRole('cell', { name: 'my phone', exact: true }).count(), 0)
    t.notOk(await isTooWide(phone))
    await phone.getByRole('button', { name: 'Sign out' }).click()
    await phone.getByRole('link', { name: 'Sign in' }).click()
    await phone.getByRole('button', { name: 'Use a passkey' }).click()
    await phone.locator('.user-menu', { hasText: 'asha' }).waitFor()

    // A key for a bot is shown once.
    await phone.goto(`${server.site}/account`)
    await phone.getByRole('button', { name: 'New key' }).click()
    await phone.getByLabel('Name', { exact: true }).fill('market maker')
    await phone.getByRole('button', { name: 'Create key' }).click()
    const key = await phone.getByLabel('The key market maker', { exact: true }).inputValue()
    t.match(key, /^rk_[\w-]{43}$/)
    t.same(await seriousIn(phone), [])
    t.notOk(await isTooWide(phone))
    await phone.reload()
    await phone.getByRole('cell', { name: 'market maker', exact: true }).waitFor()
    t.equal(await phone.getByText(key).count(), 0)

    // The bot trades in the name of the account, with a socket of its own.
    const authorization = `Bearer ${key}`
    const bot = await WsClient.connect(t, server.client.wsUrl(), { headers: { authorization } })
    const place = () =>
      fetch(`${server.url}/order/initiate`, {
        method: 'POST',
        headers: { ...JSON_TYPE, authorization },
        body: JSON.stringify({
          event_id: code,
          l1_expected_price: 4,
          l1_order_quantity: 5,
          offer_type: 'buy',
          order_type: 'LO',
        }),
      })
    const { status } = await place()
    t.equal(status, 201)
    await phone.goto(`${server.site}/portfolio/orders`)
    await phone.locator('tr', { hasText: '₹4.00' }).first().waitFor()

    // The key is revoked: its socket closes, and it places no more orders.
    await phone.goto(`${server.site}/account`)
    await phone.getByRole('button', { name: 'Revoke the key market maker' }).click()
    await phone.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    t.equal(bot.socket.readyState, bot.socket.OPEN, 'not without a confirmation')
    await phone.getByRole('button', { name: 'Revoke the key market maker' }).click()
    await phone.getByRole('dialog').getByRole('button', { name: 'Revoke', exact: true }).click()
    await phone.getByRole('dialog').waitFor({ state: 'detached' })
    t.equal((await bot.closed).code, 4401)
    t.equal((await place()).status, 401)

    // The admin finds it all in the audit, and disables the account: the phone is signed out.
    await admin.getByText('More', { exact: true }).click()
    await admin.getByRole('link', { name: 'Audit' }).click()
    await admin.getByLabel('Search the audit').fill('market maker')
    await admin.getByRole('cell', { name: /^API key revoked asha/ }).waitFor()
    await admin.getByLabel('Kind').selectOption('key_made')
    await admin.getByRole('cell', { name: /^API key made asha/ }).waitFor()
    await admin.getByRole('cell', { name: /^API key revoked/ }).waitFor({ state: 'detached' })
    t.same(await seriousIn(admin), [])
    await phone.goto(`${server.site}/market/${code}`)
    await phone.locator('.badge', { hasText: 'Live' }).waitFor()
    await admin.getByRole('link', { name: 'Accounts' }).click()
    await admin.getByRole('button', { name: 'Manage asha' }).click()
    await admin.getByRole('button', { name: 'Disable' }).click()
    await admin.getByText('disabled', { exact: true }).waitFor()
    await phone.locator('.buy-bar .button-yes').click()
    await phone.getByRole('button', { name: 'Sign in to trade' }).waitFor()
    // Chromium reports what was refused.
    t.same(
      [...complaints, ...phones].filter(text => !/4(?:01|22)|WebSocket/.test(text)),
      [],
    )
  },
)
