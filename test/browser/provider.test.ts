import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import t from 'tap'
import { readConfig } from '../../src/server/config/config.js'
import { noBrowser, openPage } from '../fixtures/browser.js'
import { CLIENT_ID, CLIENT_SECRET } from '../fixtures/openid-provider.js'
import { signInAtProvider, startRealOpenIdProvider } from '../fixtures/real-openid-provider.js'
import { startTestServer } from '../fixtures/server-process.js'
import { isTooWide, seriousIn } from './axe.js'
import { sharedBrowser } from './shared-browser.js'

/** Starts an exchange for members whose sign-in is that of a provider. */
async function openClub(t: Test) {
  const provider = await startRealOpenIdProvider(t)
  const secret = join(t.testdir(), 'secret')
  writeFileSync(secret, `${CLIENT_SECRET}\n`)
  const texts = {
    ...{ auth: 'accounts', reads: 'members', 'password-sign-in': 'off', 'oidc-name': 'Oak ID' },
    ...{ 'oidc-issuer': provider.issuer, 'oidc-client-id': CLIENT_ID, 'oidc-client-secret-file': secret },
    ...{ 'oidc-allowed-groups': 'club', 'oidc-role-claim': 'roles', 'oidc-role-map': 'raay-admins=admin' },
    'starting-balance': '1000',
  }
  const { access, startingBalance, site } = readConfig(texts, {})
  const server = await startTestServer(t, { access, startingBalance, site })
  const home = `http://localhost:${server.port}`
  provider.serve(home)
  const code = await server.client.createEvent({ title: 'Will it rain?' })
  return { ...server, provider, home, code }
}

t.test(
  'a member signs in at the OpenID provider and trades, an outsider learns why not, an admin is one by a claim',
  { skip: noBrowser },
  async t => {
    const { provider, home, code, faults } = await openClub(t)
    provider.users.set('meera', { preferred_username: 'Meera', groups: ['others'] })
    provider.users.set('asha', { preferred_username: 'Asha@oak.example', groups: ['staff', 'club'] })
    provider.users.set('priya', { preferred_username: 'Priya', groups: ['club'], roles: ['raay-admins'] })
    const browser = await sharedBrowser(t)
    const { page } = await openPage(browser, `${home}/market/${code}`, { width: 360 })
    await page.getByRole('link', { name: 'Sign in' }).first().click()
    const button = page.getByRole('button', { name: 'Sign in with Oak ID' })
    await button.waitFor()
    t.equal(await page.getByLabel('Password', { exact: true }).isVisible(), false, 'for the last admin only')
    t.same(await seriousIn(page), [])
    t.notOk(await isTooWide(page))
    await button.click()
    await signInAtProvider(page, 'meera')
    await page.getByText('You are in none of the groups that may sign in here.').waitFor()
    t.equal(page.url(), `${home}/sign-in/oidc`, 'the code is out of the address')
    t.same(await seriousIn(page), [])

    const member = await openPage(browser, `${home}/market/${code}`, { width: 360 })
    await member.page.getByRole('link', { name: 'Sign in' }).first().click()
    await member.page.getByRole('button', { name: 'Sign in with Oak ID' }).click()
    await signInAtProvider(member.page, 'asha')
    await member.page.getByRole('heading', { name: 'Will it rain?' }).waitFor()
    t.equal(new URL(member.page.url()).pathname, `/market/${code}`)
    await member.page.goto(`${home}/account`)
    await member.page.getByRole('heading', { name: 'asha' }).waitFor()
    await member.page.getByText('this cannot be unlinked').waitFor()
    t.equal(await member.page.getByRole('button', { name: 'Change password' }).count(), 0)
    t.same(await seriousIn(member.page), [])
    t.notOk(await isTooWide(member.page))

    const admin = await openPage(browser, `${home}/admin`)
    await admin.page.getByText('Account', { exact: true }).click()
    await admin.page.getByRole('button', { name: 'Sign in with Oak ID' }).click()
    await signInAtProvider(admin.page, 'priya')
    await admin.page.getByRole('link', { name: 'Accounts' }).first().waitFor()
    t.equal(new URL(admin.page.url()).pathname, '/admin')
    // The provider's own pages ask for a font elsewhere.
    const complaints = [...member.complaints, ...admin.complaints]
    t.same(
      complaints.filter(text => !text.includes('ERR_NAME_NOT_RESOLVED')),
      [],
    )
    t.same(faults, [])
  },
)
