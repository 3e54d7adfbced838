import type { Locator } from 'playwright-core'
import t from 'tap'
import { adminLink, closePage, noBrowser, openPage } from '../fixtures/browser.js'
import { startTestServer } from '../fixtures/server-process.js'
import { sharedBrowser } from './shared-browser.js'

const UPTIME_S = 3 * 86_400 + 4 * 3600 + 59
const WORDS = { en: /^Raay \S+, Node \S+, up for 3 d 4 h$/, hi: /^Raay \S+, Node \S+, 3 दिन 4 घं से चालू$/ }

t.test(
  'the health page says for how long the exchange is up, where there is room',
  { skip: noBrowser },
  async t => {
    const server = await startTestServer(t)
    const browser = await sharedBrowser(t)
    for (const language of ['en', 'hi'] as const) {
      for (const width of [360, 1280]) {
        const { page, complaints } = await openPage(browser, await adminLink(server), { width, language })
        await page.route(/\/admin\/health\b/, async route => {
          if (route.request().resourceType() === 'document') return route.continue()
          const response = await route.fetch()
          const body = (await response.json()) as { readonly additional: object }
          Object.assign(body.additional, { uptime: UPTIME_S })
          return route.fulfill({ response, json: body })
        })
        await page.locator('h1').waitFor()
        await page.goto(`${server.url}/admin/health`)
        const note = page.locator('.page-head > .faint')
        await note.waitFor()
        t.match(await note.innerText(), WORDS[language])
        const [title, said, head] = await Promise.all(
          [page.locator('.page-head h1'), note, page.locator('.page-head')].map(placeOf),
        )
        t.equal(
          (said?.top ?? 0) >= (title?.bottom ?? 0),
          width === 360,
          'below the title where it does not fit',
        )
        if (width === 360) t.equal(said?.left, title?.left)
        else t.equal(said?.right, head?.right)
        t.same(complaints, [])
        await closePage(page)
      }
    }
  },
)

/** Returns the edges of a part, in whole pixels. */
function placeOf(part: Locator) {
  return part.evaluate(element => {
    const { left, right, top, bottom } = element.getBoundingClientRect()
    return {
      left: Math.round(left),
      right: Math.round(right),
      top: Math.round(top),
      bottom: Math.round(bottom),
    }
  })
}
