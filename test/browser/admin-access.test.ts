import t from 'tap'
import { readOperatorKey } from '../../src/access/operator-key.js'
import { readConfig } from '../../src/server/config/config.js'
import { startAccounts } from '../fixtures/accounts-server.js'
import { adminLink, fillInSignIn, noBrowser, openAdmin, openPage } from '../fixtures/browser.js'
import { JWT_SECRET } from '../fixtures/hs256-token.js'
import { startTestServer } from '../fixtures/server-process.js'
import { sharedBrowser } from './shared-browser.js'

t.test(
  'the link of raay admin link signs in once, and leaves no code behind',
  { skip: noBrowser },
  async t => {
    const server = await startTestServer(t)
    const browser = await sharedBrowser(t)
    const link = await adminLink(server)
    const code = new URL(link).hash.replace('#code=', '')
    t.ok(code.length > 20)
    const { page, complaints } = await openPage(browser, link)
    const requests: string[] = []
    page.on('request', request => requests.push(request.url()))
    await page.getByRole('heading', { name: 'Create your first event' }).waitFor()
    t.equal(page.url(), `${server.url}/admin`, 'the code is not in the address')
    await page.reload()
    await page.getByRole('heading', { name: 'Create your first event' }).waitFor()
    t.notOk(requests.some(address => address.includes(code)))
    t.notOk(
      String(
        await page.evaluate(
          'document.cookie + JSON.stringify([localStorage, sessionStorage, history.state])',
        ),
      ).includes('r'),
    )
    t.same(complaints, [])

    const second = await openPage(browser, link)
    await second.page.getByText('This link is wrong, used or expired.').waitFor()
    await second.page.getByLabel('Operator’s key', { exact: true }).waitFor()
    t.equal(await second.page.getByRole('link', { name: 'Users' }).count(), 0, 'nothing leads further')

    // In a tab that shows the page already, another link changes only the fragment.
    await second.page.goto(await adminLink(server))
    await second.page.getByRole('heading', { name: 'Create your first event' }).waitFor()
    t.equal(second.page.url(), `${server.url}/admin`)
  },
)

t.test(
  'the operator’s key signs in, and is neither kept nor put in an address',
  { skip: noBrowser },
  async t => {
    const server = await startTestServer(t)
    const key = readOperatorKey(server.data)
    const { page } = await openPage(await sharedBrowser(t), `${server.url}/admin/users`)
    const requests: string[] = []
    page.on('request', request => requests.push(request.url()))
    const field = page.getByLabel('Operator’s key', { exact: true })
    await field.fill('guess')
    await page.keyboard.press('Enter')
    await page.getByText('Wrong key.').waitFor()
    t.equal(await field.inputValue(), 'guess', 'what was typed stays')
    await field.fill(`${key} `)
    await page.keyboard.press('Enter')
    await page.getByText('No users yet').waitFor()
    await page.reload()
    await page.getByText('No users yet').waitFor()
    t.same(await page.evaluate('[...Object.entries(localStorage), ...Object.entries(sessionStorage)]'), [])
    t.equal(await page.evaluate('document.cookie'), '', 'no script can read the session')
    t.notOk(requests.some(address => address.includes(key)))

    await page.getByRole('button', { name: 'Sign out' }).click()
    await field.waitFor()
    await page.reload()
    await field.waitFor()
  },
)

t.test('a session that ends elsewhere brings the sign-in back', { skip: noBrowser }, async t => {
  const server = await startTestServer(t)
  const { page } = await openAdmin(await sharedBrowser(t), server, '/users')
  await page.getByText('No users yet').waitFor()
  const status = await page.evaluate<number>(
    `fetch('/auth/logout', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' }).then(({ status }) => status)`,
  )
  t.equal(status, 200)
  await page.getByLabel('Operator’s key', { exact: true }).waitFor()
  t.equal(await page.getByText('No users yet').count(), 0)
})

t.test('nobody gets in without a session, not even over loopback', { skip: noBrowser }, async t => {
  const server = await startTestServer(t)
  await server.client.createEvent({ title: 'A secret?' })
  const { page } = await openPage(await sharedBrowser(t), `${server.url}/admin`)
  await page.getByRole('heading', { name: 'Operator sign-in' }).waitFor()
  t.match(await page.textContent('main'), /raay admin link.*operator\.key/s)
  t.equal(await page.getByText('A secret?').count(), 0)
})

t.test(
  'an admin withdraws an invitation, changes a role, and hands out a recovery link',
  { skip: noBrowser },
  async t => {
    const server = await startAccounts(t)
    const password = 'a sentence of meera'
    for (const [name, role] of [
      ['meera', 'admin'],
      ['asha', 'trader'],
    ]) {
      await server.client.post('/auth/users', { name, role, password })
    }
    const invited = await server.client.post('/auth/invitations', { name: 'ravi', role: 'trader' })
    const { url: invitation } = invited.body.additional as { readonly url: string }
    const browser = await sharedBrowser(t)
    const { page, complaints } = await openPage(browser, `${server.site}/sign-in#next=/admin/accounts`)
    await fillInSignIn(page, 'meera', password)

    await page.getByRole('button', { name: 'Withdraw the invitation for ravi' }).click()
    await page.getByRole('heading', { name: 'Open invitations' }).waitFor({ state: 'detached' })
    const late = await openPage(browser, `${server.site}/sign-up${new URL(invitation).hash}`)
    await fillInSignIn(late.page, 'ravi', 'a sentence of ravi')
    await late.page.getByText('This invitation is wrong, used or expired.').waitFor()

    await page.getByRole('button', { name: 'Manage asha' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Role').selectOption('operator')
    await dialog.getByRole('button', { name: 'Change role' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('row', { name: 'asha' }).getByText('operator').waitFor()

    await page.getByRole('button', { name: 'Manage asha' }).click()
    await dialog.getByRole('button', { name: 'Recovery link' }).click()
    const link = await dialog.getByLabel('Recovery link').inputValue()
    const { page: recovering } = await openPage(browser, `${server.site}/recover${new URL(link).hash}`)
    await recovering.getByLabel('New password', { exact: true }).fill('another sentence')
    await recovering.keyboard.press('Enter')
    await recovering.getByText('You are signed in as asha').waitFor()
    t.same(complaints, [])
  },
)

t.test(
  'with tokens, the pages show what everybody may read, and the operator signs in by link',
  { skip: noBrowser },
  async t => {
    const texts = { auth: 'jwt', 'jwt-secret': JWT_SECRET }
    const browser = await sharedBrowser(t)
    const closed = await startTestServer(t, { access: readConfig(texts, {}).access })
    const visitor = await openPage(browser, closed.url)
    await visitor.page.getByRole('heading', { name: 'Members only' }).waitFor()
    t.equal(await visitor.page.getByRole('link', { name: 'Sign in' }).count(), 0, 'no page signs in here')

    const server = await startTestServer(t, {
      access: readConfig({ ...texts, 'public-reads': 'yes' }, {}).access,
    })
    const code = await server.client.createEvent({ title: 'Will the monsoon be early?' })
    const { page, complaints } = await openPage(browser, server.url)
    await page.getByRole('link', { name: 'Will the monsoon be early?' }).click()
    await page.getByRole('heading', { name: 'Will the monsoon be early?' }).waitFor()
    t.equal(page.url(), `${server.url}/market/${code}`)
    t.same(complaints, [])
    const admin = await openAdmin(browser, server)
    await admin.page.getByRole('link', { name: 'Will the monsoon be early?' }).waitFor()
    t.same(admin.complaints, [])
  },
)
