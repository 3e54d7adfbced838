import t from 'tap'
import { noBrowser, openPage, startBrowser } from '../fixtures/browser.js'
import { startTestServer } from '../fixtures/server-process.js'

const TOKEN = 'open-sesame-0123456789'

t.test(
  'the page asks for a token, tries it, keeps it for this tab, and never puts it in a URL',
  { skip: noBrowser },
  async t => {
    const server = await startTestServer(t, { adminToken: TOKEN })
    const { page } = await openPage(await startBrowser(t), `${server.url}/admin/users`)
    const addresses: string[] = []
    page.on('request', request => addresses.push(request.url()))

    await page.getByRole('heading', { name: 'Operator sign-in' }).waitFor()
    t.equal(await page.getByRole('link', { name: 'Users' }).count(), 0, 'nothing leads further')
    await page.getByLabel('Admin token').fill('guess')
    await page.keyboard.press('Enter')
    await page.getByText('Wrong token.').waitFor()
    await page.getByLabel('Admin token').fill(TOKEN)
    await page.keyboard.press('Enter')
    await page.getByText('No users yet').waitFor()

    await page.reload()
    await page.getByText('No users yet').waitFor()
    t.same(await page.evaluate('Object.entries(localStorage)'), [], 'no other tab gets it')
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByLabel('Admin token').waitFor()
    t.same(await page.evaluate('Object.entries(sessionStorage)'), [], 'nor is it left behind')
    t.ok(addresses.length > 3)
    t.same(
      addresses.filter(address => address.includes(TOKEN)),
      [],
    )
  },
)

t.test('an action begun with one token continues with that token only', { skip: noBrowser }, async t => {
  const server = await startTestServer(t, { adminToken: TOKEN })
  const { page } = await openPage(await startBrowser(t), `${server.url}/admin/users`)
  await page.getByLabel('Admin token').fill(TOKEN)
  await page.keyboard.press('Enter')
  await page.getByText('No users yet').waitFor()
  await page.evaluate(`sessionStorage.setItem('raay.admin-token', 'old')`)
  await page.reload()
  await page.getByText('Wrong token.').waitFor()
  t.equal(await page.getByText('No users yet').count(), 0)
})

t.test('a visitor from another machine sees instructions', { skip: noBrowser }, async t => {
  const server = await startTestServer(t)
  await server.client.createEvent({ title: 'A secret?' })
  const browser = await startBrowser(t)
  const context = await browser.newContext({ extraHTTPHeaders: { 'x-forwarded-for': '203.0.113.9' } })
  const page = await context.newPage()
  await page.goto(`${server.url}/admin`)
  await page.getByRole('heading', { name: 'The admin pages open only on the machine' }).waitFor()
  t.match(await page.textContent('main'), /RAAY_ADMIN_TOKEN=.*npm start/)
  t.equal(await page.getByText('A secret?').count(), 0)
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('heading', { name: 'The admin pages open only on the machine' }).waitFor()
})
