import t from 'tap'
import { readConfig } from '../../src/server/config/config.js'
import { fillInSignIn, noBrowser, openPage } from '../fixtures/browser.js'
import { startTestServer } from '../fixtures/server-process.js'
import { isTooWide, seriousIn } from './axe.js'
import { sharedBrowser } from './shared-browser.js'

const TEXTS = { auth: 'accounts', reads: 'members', 'sign-up': 'open', 'site-name': 'Oak Club' }
const PASSWORD = 'a sentence to remember'

t.test(
  'where only members read, a visitor finds a way to sign in in both languages, and then the market asked for',
  { skip: noBrowser },
  async t => {
    const { access, startingBalance, site } = readConfig(TEXTS, {})
    const { client, port, faults } = await startTestServer(t, { access, startingBalance, site })
    const home = `http://localhost:${port}`
    const code = await client.createEvent({ title: 'Will it rain?' })
    await client.send('PUT', '/admin/announcement', JSON.stringify({ en: 'The club meets at noon.' }))
    const browser = await sharedBrowser(t)
    const { page, complaints } = await openPage(browser, `${home}/market/${code}?from=mail`, { width: 360 })
    await page.getByRole('heading', { name: 'Members only' }).waitFor()
    t.equal(await page.getByText('Sign in to see the markets of Oak Club.').count(), 1)
    for (const hidden of ['navigation', 'status'] as const) {
      t.equal(await page.getByRole(hidden).filter({ hasText: /\S/ }).count(), 0, `no ${hidden}`)
    }
    t.equal(await page.title(), 'Oak Club')
    t.notOk(await isTooWide(page))
    t.same(await seriousIn(page), [])
    await page.getByRole('button', { name: 'हिन्दी' }).click()
    await page.getByRole('heading', { name: 'केवल सदस्यों के लिए' }).waitFor()
    t.equal(await page.getByText('Oak Club के मार्केट देखने के लिए साइन इन करें।').count(), 1)
    t.same(await seriousIn(page), [])
    await page.getByRole('button', { name: 'English' }).click()

    const card = await openPage(browser, `${home}/embed/${code}`)
    await card.page.getByText('Only members can see this market.').waitFor()

    await page.getByRole('link', { name: 'Sign up' }).click()
    await page.getByRole('heading', { name: 'Create an account' }).waitFor()
    t.equal(await page.getByRole('link', { name: 'Markets' }).count(), 0)
    await page.goBack()
    await page.getByRole('link', { name: 'Sign in' }).click()
    await page.getByRole('link', { name: 'Create an account' }).click()
    await fillInSignIn(page, 'asha', PASSWORD)
    await page.getByRole('heading', { name: 'Will it rain?' }).waitFor()
    t.equal(page.url(), `${home}/market/${code}?from=mail`)
    await page.getByText('The club meets at noon.').waitFor()
    await page.getByText('Share', { exact: true }).click()
    t.equal(await page.getByRole('button', { name: 'Copy link' }).count(), 1)
    t.equal(await page.getByRole('button', { name: /embed/i }).count(), 0, 'others would see nothing in it')
    t.same(complaints, [])
    t.same(faults, [])

    await page.locator('.user-menu summary').click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Members only' }).waitFor()
    t.equal(await page.getByText('Will it rain?').count(), 0)
  },
)
