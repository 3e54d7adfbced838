import type { Page, Route } from 'playwright-core'
import t from 'tap'
import { noBrowser, openPage, waitUntil } from '../fixtures/browser.js'
import type { ServerClient } from '../fixtures/server/server-client.js'
import { startTestServer } from '../fixtures/server-process.js'
import { sharedBrowser } from './shared-browser.js'

/** Longer than a page waits before it asks for the status of markets again. */
const NEXT_LOOK_MS = 21_000

/** How a page asks for the status of the markets held. */
const STATUS_QUERY = '**/events?event_ids=*'

const WORDS = {
  en: {
    one: 'Notifications, 1 new',
    two: 'Notifications, 2 new',
    halted: 'Trading is halted in a market where you hold contracts.',
    closed: 'Trading has closed. Your contracts await the result.',
  },
  hi: {
    one: 'सूचनाएँ, 1 नई',
    two: 'सूचनाएँ, 2 नई',
    halted: 'आपके कॉन्ट्रैक्ट वाले मार्केट में ट्रेडिंग रुकी हुई है।',
    closed: 'ट्रेडिंग बंद हो गई। आपके कॉन्ट्रैक्ट को नतीजे का इंतज़ार है।',
  },
} as const

for (const language of ['en', 'hi'] as const) {
  const words = WORDS[language]
  const options = { user: 'asha', language }

  t.test(`tells holders in ${language} when a market halts or closes`, { skip: noBrowser }, async t => {
    const { client, url } = await startTestServer(t)
    const [own, other, foreign] = [
      await client.createEvent(),
      await client.createEvent(),
      await client.createEvent(),
    ]
    await give(client, own, 'no')
    await give(client, other, 'yes')
    const { page, complaints } = await openPage(await sharedBrowser(t), `${url}/healthz`, options)
    await page.clock.install()
    await page.goto(`${url}/market/${own}`)
    await knows(page, [own, other])

    // The page shows this market, and hears of it without asking.
    await client.post(`/events/${own}/halt`, {})
    await page.getByRole('button', { name: words.one }).waitFor()
    await page.locator('.toast', { hasText: words.halted }).waitFor()
    await client.post(`/events/${other}/close`, {})
    await client.post(`/events/${foreign}/close`, {})
    await page.clock.fastForward(NEXT_LOOK_MS)
    await page.getByRole('button', { name: words.two }).click()
    t.same(await bellOf(page), [`/market/${other} ${words.closed}`, `/market/${own} ${words.halted}`])
    t.same(complaints, [])
  })

  t.test(
    `tells holders in ${language} what halted or closed while they were away`,
    { skip: noBrowser },
    async t => {
      const { client, url } = await startTestServer(t)
      const [halted, closed] = [await client.createEvent(), await client.createEvent()]
      await give(client, halted, 'no')
      await give(client, closed, 'yes')
      const { page, complaints } = await openPage(await sharedBrowser(t), url, options)
      await knows(page, [halted, closed])
      await page.goto(`${url}/healthz`)
      await client.post(`/events/${halted}/halt`, {})
      await client.post(`/events/${closed}/close`, {})

      await page.goto(url)
      await page.getByRole('button', { name: words.two }).click()
      t.same((await bellOf(page)).sort(), [
        `/market/${halted} ${words.halted}`,
        `/market/${closed} ${words.closed}`,
      ])
      await page.reload()
      await page.locator('.bell-button').click()
      t.equal((await bellOf(page)).length, 2, 'no notice comes twice')
      t.same(complaints, [])
    },
  )
}

t.test('tells holders in every tab, and keeps what one tab has heard', { skip: noBrowser }, async t => {
  const { client, url } = await startTestServer(t)
  const [code, quiet] = [await client.createEvent(), await client.createEvent()]
  await give(client, code, 'yes')
  const browser = await sharedBrowser(t)
  const { page } = await openPage(browser, `${url}/healthz`, { user: 'asha', language: 'en' })
  await page.clock.install()
  await page.goto(url)
  await knows(page, [code])
  const second = await page.context().newPage()
  await second.goto(url)
  await second.getByRole('button', { name: 'Notifications', exact: true }).waitFor()
  await client.post(`/events/${code}/halt`, {})
  await page.clock.fastForward(NEXT_LOOK_MS)
  for (const tab of [page, second]) await tab.getByRole('button', { name: WORDS.en.one }).waitFor()

  // The next message does not take away what a tab has heard without one.
  const seq = "JSON.parse(localStorage['raay.notices.asha']).seq"
  const before = await page.evaluate<number>(seq)
  await client.placeOrder(quiet, { userid: 'asha' })
  await waitUntil(second, `${seq} > ${before}`)
  await second.reload()
  await second.getByRole('button', { name: WORDS.en.one }).click()
  t.same(await bellOf(second), [`/market/${code} ${WORDS.en.halted}`])
  await page.getByRole('button', { name: 'Notifications', exact: true }).waitFor()
})

t.test(
  'tells at once what a channel of the page brings, and no answer undoes it',
  { skip: noBrowser },
  async t => {
    const { client, url } = await startTestServer(t)
    const code = await client.createEvent()
    await give(client, code, 'yes')
    const { page, complaints } = await openPage(await sharedBrowser(t), url, { user: 'asha' })
    await knows(page, [code])

    // The next page asks, too, but its answer is on its way until the channel has overtaken it.
    const overtaken = await holdAnswer(page, STATUS_QUERY)
    await page.goto(`${url}/market/${code}`)
    await page.locator('.held', { hasText: 'You own 10 YES' }).waitFor()
    await overtaken.isAnswered
    await client.post(`/events/${code}/halt`, {})
    await page.getByRole('button', { name: WORDS.en.one }).waitFor()
    await overtaken.release()
    await client.post(`/events/${code}/close`, {})
    await page.getByRole('button', { name: WORDS.en.two }).click()
    t.same(await bellOf(page), [`/market/${code} ${WORDS.en.closed}`, `/market/${code} ${WORDS.en.halted}`])
    t.same(complaints, [])
  },
)

t.test('an answer that another tab has overtaken undoes nothing', { skip: noBrowser }, async t => {
  const { client, url } = await startTestServer(t)
  const [code, quiet] = [await client.createEvent(), await client.createEvent()]
  await give(client, code, 'yes')
  const { page, complaints } = await openPage(await sharedBrowser(t), `${url}/market/${code}`, {
    user: 'asha',
  })
  await knows(page, [code])

  // The second tab has asked before the halt, and has its answer after the first tab has told of the halt.
  const second = await page.context().newPage()
  const overtaken = await holdAnswer(second, STATUS_QUERY)
  await second.goto(`${url}/market/${quiet}`)
  await overtaken.isAnswered
  await client.post(`/events/${code}/halt`, {})
  for (const tab of [page, second]) await tab.getByRole('button', { name: WORDS.en.one }).waitFor()
  const askedAgain = second.waitForRequest(STATUS_QUERY)
  await overtaken.release()
  await (await askedAgain).response()
  await second.getByRole('button', { name: WORDS.en.one }).click()
  t.same(await bellOf(second), [`/market/${code} ${WORDS.en.halted}`])
  t.same(complaints, [])
})

t.test('a notice that another tab has overwritten comes back', { skip: noBrowser }, async t => {
  const { client, url } = await startTestServer(t)
  const code = await client.createEvent()
  await give(client, code, 'yes')
  const { page, complaints } = await openPage(await sharedBrowser(t), `${url}/market/${code}`, {
    user: 'asha',
  })
  await knows(page, [code])
  const key = 'raay.notices.asha'
  const before = await page.evaluate<string>(`localStorage['${key}']`)
  await client.post(`/events/${code}/halt`, {})
  await page.getByRole('button', { name: WORDS.en.one }).waitFor()

  // A tab writes what it knew before the halt.
  const second = await page.context().newPage()
  await second.goto(`${url}/healthz`)
  await second.evaluate(`localStorage['${key}'] = '${before}'`)
  await waitUntil(second, `localStorage['${key}'].includes('halted')`)
  t.ok(await page.getByRole('button', { name: WORDS.en.one }).isVisible())
  t.same(complaints, [])
})

/** Gives asha ten contracts of one outcome. */
async function give(client: ServerClient, code: string, outcome: 'yes' | 'no'): Promise<void> {
  const [asha, mira] = outcome === 'yes' ? (['buy', 'sell'] as const) : (['sell', 'buy'] as const)
  const terms = { l1_order_quantity: 10, l1_expected_price: 5 }
  await client.placeOrder(code, { ...terms, userid: 'mira', offer_type: mira })
  await client.placeOrder(code, { ...terms, userid: 'asha', offer_type: asha })
}

interface HeldAnswer {
  /** Resolves once the exchange has answered; the page waits on. */
  readonly isAnswered: Promise<void>
  /** Gives the page its answer; resolves once it has it. */
  release(): Promise<void>
}

/** Holds back the first answer that a page gets from such an address. */
async function holdAnswer(page: Page, address: string): Promise<HeldAnswer> {
  let release = () => {}
  const isReleased = new Promise<void>(resolve => {
    release = resolve
  })
  let tellAnswered = () => {}
  const isAnswered = new Promise<void>(resolve => {
    tellAnswered = resolve
  })
  const hold = async (route: Route) => {
    const response = await route.fetch()
    tellAnswered()
    await isReleased
    await route.fulfill({ response })
  }
  await page.route(address, hold, { times: 1 })
  return {
    isAnswered,
    release: async () => {
      const answered = page.waitForResponse(address)
      release()
      await (await answered).finished()
    },
  }
}

/** Resolves once the browser knows that these markets are open. */
async function knows(page: Page, codes: readonly string[]): Promise<void> {
  const known = Object.fromEntries(codes.map(code => [code, 'open']))
  await waitUntil(page, `localStorage['raay.statuses.asha'] === '${JSON.stringify(known)}'`)
}

/** Returns the notices in the open list: each with the address of its market. */
function bellOf(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`[...document.querySelectorAll('.bell-list li')].map(one =>
    one.querySelector('a').getAttribute('href') + ' ' + one.querySelector('p').lastChild.textContent)`)
}
