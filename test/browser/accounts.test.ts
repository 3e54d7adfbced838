import type { Page } from 'playwright-core'
import t from 'tap'
import { systemSources } from '../../src/exchange/sources.js'
import { readConfig } from '../../src/server/config/config.js'
import { startAccounts } from '../fixtures/accounts-server.js'
import { fillInSignIn, noBrowser, openPage } from '../fixtures/browser.js'
import { startTestServer } from '../fixtures/server-process.js'
import { isTooWide, seriousIn } from './axe.js'
import { sharedBrowser } from './shared-browser.js'

const PASSWORD = 'a sentence to remember'

t.test('a visitor looks at a market, signs up, and is back to trade', { skip: noBrowser }, async t => {
  const server = await startAccounts(t, 'open')
  const code = await server.client.createEvent({ title: 'Will it rain?' })
  const market = `${server.site}/market/${code}`
  // A username that an exchange without accounts had remembered is nobody here.
  const { page, complaints } = await openPage(await sharedBrowser(t), market, { user: 'ravi', width: 360 })
  const bar = page.locator('.buy-bar .button-yes')
  await bar.click()
  await page.getByRole('button', { name: 'Sign in to trade' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await page.getByRole('link', { name: 'Create an account' }).click()
  await page.getByRole('heading', { name: 'Create an account' }).waitFor()

  await fillInSignIn(page, 'a', PASSWORD)
  await page.getByText('Use 2 to 32 characters.').waitFor()
  t.equal(await page.getAttribute('#field-name', 'aria-invalid'), 'true')
  await fillInSignIn(page, 'asha', 'short')
  await page.getByText('Use 10 to 256 characters.').waitFor()
  t.equal(await page.inputValue('#field-name'), 'asha', 'what was typed stays')
  await fillInSignIn(page, 'asha', PASSWORD)
  await page.locator('.user-menu', { hasText: 'asha' }).waitFor()
  t.equal(page.url(), market)
  t.equal(await page.evaluate('document.cookie'), '', 'no script can read the session')

  await bar.click()
  // What ravi chose, contracts, is nothing to her. The book is empty, so the ticket begins with a limit.
  const inRupees = page.getByRole('radio', { name: '₹', checked: true })
  await inRupees.waitFor({ state: 'attached' })
  await page.getByRole('radio', { name: 'Limit', checked: true }).waitFor({ state: 'attached' })
  await page.locator('.segment', { hasText: 'Contracts' }).click()
  await page.getByRole('button', { name: 'Buy 10 YES' }).click()
  await page.getByText('Placed: 10 YES resting at ₹5.00.').waitFor()
  await page.getByRole('button', { name: 'Close' }).click()
  await page.locator('.user-menu summary').click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await bar.click()
  await page.getByRole('button', { name: 'Sign in to trade' }).waitFor()
  await inRupees.waitFor({ state: 'attached' })
  await page.getByRole('radio', { name: 'Market', checked: true }).waitFor({ state: 'attached' })
  t.equal(page.url(), market)
  t.equal(await page.getByText('Your open orders').count(), 0)
  // Chromium reports what was refused: the short password, and what the page asked for while it was signed out.
  t.same(
    complaints.filter(text => !/401|422/.test(text)),
    [],
  )
})

t.test(
  'a new account without money learns whom to ask, and is promised none',
  { skip: noBrowser },
  async t => {
    const contact = 'help@mandi.example'
    const texts = { auth: 'accounts', 'sign-up': 'open', 'site-contact': contact }
    const { access, startingBalance, site } = readConfig(texts, {})
    const { client, port } = await startTestServer(t, { access, startingBalance, site })
    const home = `http://localhost:${port}`
    const browser = await sharedBrowser(t)
    const { page } = await openPage(browser, home, { width: 360 })
    await page.getByRole('heading', { name: 'No markets yet' }).waitFor()
    t.equal(await page.getByText('choose a username').count(), 0)
    const first = page.getByRole('link', { name: 'Create the first event' })
    await first.waitFor()
    await page.goto(`${home}/sign-up`)
    await fillInSignIn(page, 'asha', PASSWORD)
    await page.locator('.user-menu', { hasText: 'asha' }).waitFor()
    await page.getByRole('heading', { name: 'No markets yet' }).waitFor()
    t.equal(await first.count(), 0, 'a trader is not told how to create events')
    const code = await client.createEvent({ title: 'Will it rain?' })
    await page.goto(`${home}/market/${code}`)
    await page.locator('.buy-bar .button-yes').click()
    const request = page.getByText(`Ask the operator for money: ${contact}`)
    await request.first().waitFor()
    await page.goto(`${home}/portfolio`)
    await request.waitFor()
    t.equal(await page.getByText('credited with your first order').count(), 0)
    await page.goto(home)
    await page.getByRole('heading', { name: 'Trade on what happens next.', exact: true }).waitFor()
  },
)

t.test(
  'a sign-in says what is wrong, and goes on within this exchange only',
  { skip: noBrowser },
  async t => {
    // Time hardly passes: however slow the machine, the brake is on when it is looked at.
    const sources = systemSources()
    const slow = { ...sources, watch: () => sources.watch() / 10_000 }
    const server = await startAccounts(t, 'invitation', slow)
    await server.client.post('/auth/users', { name: 'asha', role: 'trader', password: PASSWORD })
    await server.client.post('/auth/users', { name: 'meera', role: 'admin', password: PASSWORD })
    const address = `${server.site}/sign-in#next=${encodeURIComponent('//evil.example/x')}`
    const { page } = await openPage(await sharedBrowser(t), address)
    for (const [label, word] of [
      ['Username', 'username'],
      ['Password', 'current-password'],
    ] as const) {
      t.equal(await page.getByLabel(label, { exact: true }).getAttribute('autocomplete'), word)
    }
    await page.getByText('You need an invitation').waitFor()
    await fillInSignIn(page, 'asha', 'wrong password')
    await page.getByText('Wrong username or password.').waitFor()
    await fillInSignIn(page, 'nobody', 'wrong password')
    await page.getByText('Wrong username or password.').waitFor()
    await page.getByRole('button', { name: 'Show password' }).click()
    t.equal(await page.getAttribute('#field-password', 'type'), 'text')
    for (let attempt = 0; attempt < 6; attempt++) {
      await page.evaluate(
        `fetch('/auth/login', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{"name":"asha","password":"x"}' })`,
      )
    }
    await fillInSignIn(page, 'asha', PASSWORD)
    await page.getByText(/Too many attempts. Try again in \d+ s\./).waitFor()
    t.equal(new URL(page.url()).pathname, '/sign-in')

    // Another name has not failed so often.
    await server.client.post('/auth/users', { name: 'ravi', role: 'trader', password: PASSWORD })
    await fillInSignIn(page, 'ravi', PASSWORD)
    await page.locator('.user-menu', { hasText: 'ravi' }).waitFor()
    t.equal(page.url(), `${server.site}/`, 'not to another site')
    await page.goto(`${server.site}/admin`)
    await page.getByRole('heading', { name: 'These pages are for operators' }).waitFor()
    await page.goto(`${server.site}/sign-up`)
    await page.getByRole('heading', { name: 'You are signed in as ravi' }).waitFor()
  },
)

t.test('a forgotten password is replaced with the operator’s link, once', { skip: noBrowser }, async t => {
  const server = await startAccounts(t)
  await server.client.post('/auth/users', { name: 'asha', role: 'trader', password: PASSWORD })
  const browser = await sharedBrowser(t)
  const elsewhere = await openPage(browser, `${server.site}/sign-in#next=/portfolio`)
  await fillInSignIn(elsewhere.page, 'asha', PASSWORD)
  await elsewhere.page.getByRole('heading', { name: 'asha’s portfolio' }).waitFor()

  const key = { user: 'asha', name: 'robot', scopes: ['read'] }
  await server.client.post('/auth/keys', key)
  const { body } = await server.client.post('/auth/users/asha/recovery', {})
  const link = new URL((body.additional as { readonly url: string }).url)
  const address = `${server.site}/recover${link.hash}`
  const { page } = await openPage(browser, address)
  await page.getByLabel('Revoke all API keys').check()
  await page.getByLabel('New password', { exact: true }).fill('another sentence')
  t.equal(page.url(), `${server.site}/recover`, 'the token is not in the address')
  await page.keyboard.press('Enter')
  await page.getByText('You are signed in as asha; all other sessions have ended.').waitFor()
  await page.getByText('1 API key is revoked.').waitFor()
  await elsewhere.page.reload()
  await elsewhere.page.getByText('Sign in to see your portfolio.').waitFor()

  const second = await openPage(browser, address)
  await second.page.getByLabel('New password', { exact: true }).fill('a third sentence')
  await second.page.keyboard.press('Enter')
  await second.page.getByText('This link is wrong, used or expired.').waitFor()
})

t.test('an account changes its password and ends its other sessions', { skip: noBrowser }, async t => {
  const server = await startAccounts(t)
  await server.client.post('/auth/users', { name: 'asha', role: 'trader', password: PASSWORD })
  await server.client.post('/auth/keys', { user: 'asha', name: 'robot', scopes: ['read'] })
  const browser = await sharedBrowser(t)
  const pages: Page[] = []
  for (const width of [1280, 360]) {
    const { page } = await openPage(browser, `${server.site}/account`, { width, colorScheme: 'dark' })
    await fillInSignIn(page, 'asha', PASSWORD)
    await page.getByRole('heading', { name: 'Sessions' }).waitFor()
    pages.push(page)
  }
  const [desk, phone] = pages as [Page, Page]
  await phone.getByText('this session').waitFor()
  t.equal(await phone.getByRole('button', { name: /^End the session/ }).count(), 1)
  await phone.getByRole('button', { name: 'New key' }).click()
  await phone.getByRole('button', { name: 'Change password' }).click()
  t.same(await seriousIn(phone), [])
  t.notOk(await isTooWide(phone))
  await phone.getByLabel('Current password', { exact: true }).fill('wrong')
  await phone.getByLabel('New password', { exact: true }).fill('another sentence')
  await phone.keyboard.press('Enter')
  await phone.getByText('Wrong password.').waitFor()
  await phone.getByLabel('Current password', { exact: true }).fill(PASSWORD)
  await phone.getByRole('button', { name: 'Save password' }).click()
  await phone.getByText('Password changed. 1 other session ended.').waitFor()
  await phone.getByText('The account still has 1 API key').waitFor()
  t.notOk(await isTooWide(phone))
  await phone.getByRole('button', { name: 'Revoke the key robot' }).first().click()
  await phone.getByRole('dialog').getByRole('button', { name: 'Revoke', exact: true }).click()
  await phone.getByText('The account still has 1 API key').waitFor({ state: 'detached' })
  await phone.getByText('robot').waitFor({ state: 'detached' })

  await desk.getByRole('button', { name: 'New key' }).click()
  await desk.getByLabel('Name', { exact: true }).fill('a bot')
  await desk.keyboard.press('Enter')
  await desk.getByRole('heading', { name: 'Sign in' }).waitFor()
  t.equal(
    await server.client.get('/auth/keys?user=asha').then(({ body }) => JSON.stringify(body.additional)),
    '{"keys":[]}',
  )
  await fillInSignIn(desk, 'asha', 'another sentence')
  await desk.getByRole('button', { name: /^End the session/ }).click()
  await desk.getByRole('dialog').getByRole('button', { name: 'End', exact: true }).click()
  await desk.getByRole('button', { name: /^End the session/ }).waitFor({ state: 'detached' })
})

t.test('axe-core finds nothing serious where people sign in', { skip: noBrowser }, async t => {
  const server = await startAccounts(t, 'open')
  const browser = await sharedBrowser(t)
  for (const [colorScheme, width] of [
    ['light', 1280],
    ['dark', 360],
  ] as const) {
    const { page, complaints } = await openPage(browser, server.site, { colorScheme, width })
    for (const path of ['/', '/portfolio', '/sign-in', '/sign-up', '/recover#token=rr_x']) {
      await page.goto(server.site + path)
      await page.locator('h1').waitFor()
      t.same(await seriousIn(page), [], `${path}, ${colorScheme}, ${width} px`)
      t.notOk(await isTooWide(page), `${path} fits into ${width} px`)
    }
    t.same(complaints, [])
  }
})

t.test('passkeys are explained where they do not work', { skip: noBrowser }, async t => {
  const server = await startAccounts(t)
  await server.client.post('/auth/users', { name: 'asha', role: 'trader', password: PASSWORD })
  const { page } = await openPage(await sharedBrowser(t), `${server.url}/account`)
  await fillInSignIn(page, 'asha', PASSWORD)
  const link = page.getByRole('link', { name: `${server.site}/account` })
  await link.waitFor()
  t.equal(await page.getByRole('button', { name: 'Add a passkey' }).count(), 0)
})
