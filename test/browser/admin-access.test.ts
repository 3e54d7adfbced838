import t from 'tap'
import { readOperatorKey } from '../../src/access/operator-key.js'
import { adminLink, noBrowser, openAdmin, openPage, startBrowser } from '../fixtures/browser.js'
import { startTestServer } from '../fixtures/server-process.js'

t.test(
  'the link of raay admin link signs in once, and leaves no code behind',
  { skip: noBrowser },
  async t => {
    const server = await startTestServer(t)
    const browser = await startBrowser(t)
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
    const { page } = await openPage(await startBrowser(t), `${server.url}/admin/users`)
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
  const { page } = await openAdmin(await startBrowser(t), server, '/users')
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
  const { page } = await openPage(await startBrowser(t), `${server.url}/admin`)
  await page.getByRole('heading', { name: 'Operator sign-in' }).waitFor()
  t.match(await page.textContent('main'), /raay admin link.*operator\.key/s)
  t.equal(await page.getByText('A secret?').count(), 0)
})
