import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { walkByTab } from '../../browser/keyboard.js'
import { tooWideZoomed } from '../../browser/zoom.js'
import { adminLink, noBrowser, openPage, startBrowser } from '../../fixtures/browser.js'
import type { Teardown } from '../../fixtures/server/server-directory.js'
import type { SpawnedServer } from '../../fixtures/server-process.js'
import { spawnTestServer } from '../../fixtures/server-process.js'
import { fillAccounts, sessionOf } from './accounts-world.js'
import { makeSheet } from './sheet.js'
import type { View } from './views.js'
import { accountsViews, OPERATOR, VISITOR, viewsOf } from './views.js'
import { fillWorld } from './world.js'

const WIDTHS = { desk: 1440, tablet: 768, phone: 360 } as const
const SCHEMES = ['light', 'dark'] as const
const LANGUAGES = ['en', 'hi'] as const

interface Look {
  readonly device: keyof typeof WIDTHS
  readonly colorScheme: (typeof SCHEMES)[number]
  readonly language: (typeof LANGUAGES)[number]
}

/** The addresses of the two exchanges, and the operator of the one without accounts. */
interface Sites {
  readonly open: SpawnedServer
  readonly accounts: string
}

/**
 * Takes pictures of every page, on a desk, a tablet and a phone, in light and in dark, in English and in Hindi, and
 * puts those of each language on a sheet; `only` chooses among their names. Returns true if no page complained
 * or was wider than its window, also when it is zoomed to 200 % or its letters are twice as large.
 */
export async function provePictures(
  directory: string,
  only: string,
  say: (line: string) => unknown,
): Promise<boolean> {
  if (noBrowser !== false) {
    say(noBrowser)
    return false
  }
  const ends: (() => unknown)[] = []
  const t = { teardown: (end: () => unknown) => void ends.unshift(end) }
  mkdirSync(directory, { recursive: true })
  try {
    const { sites, views } = await startSites(t)
    const browser = await startBrowser(t)
    const faults: string[] = []
    for (const language of LANGUAGES) {
      const names: string[] = []
      for (const view of views) {
        for (const look of looksIn(language)) {
          const name = `${view.name}-${look.device}-${look.colorScheme}-${language}.png`
          if (!new RegExp(only).test(name)) continue
          const found = await takePicture(browser, sites, view, look, join(directory, name))
          faults.push(...found.map(fault => `${name}: ${fault}`))
          names.push(name)
        }
      }
      if (names.length > 0) {
        say(`${names.length} pictures: ${await makeSheet(browser, directory, language, names)}`)
      }
    }
    for (const fault of faults) say(fault)
    return faults.length === 0
  } finally {
    for (const end of ends) await end()
  }
}

async function startSites(t: Teardown): Promise<{ readonly sites: Sites; readonly views: readonly View[] }> {
  const open = await spawnTestServer(t)
  const second = await spawnTestServer(t, { flags: ['--auth', 'accounts'] })
  const accounts = await fillAccounts(second)
  const views = [...viewsOf(await fillWorld(open.client)), ...accountsViews(accounts)]
  return { sites: { open, accounts: accounts.site }, views }
}

function looksIn(language: Look['language']): Look[] {
  const devices = Object.keys(WIDTHS) as (keyof typeof WIDTHS)[]
  return devices.flatMap(device => SCHEMES.map(colorScheme => ({ device, colorScheme, language })))
}

/** Takes one picture; returns what the page complained of. */
async function takePicture(
  browser: Browser,
  sites: Sites,
  view: View,
  look: Look,
  file: string,
): Promise<string[]> {
  const { page, complaints } = await openView(browser, sites, view, look)
  await page.waitForLoadState('networkidle')
  const fault = await view.act?.(page).then(noFault, (error: Error) => error.message)
  // Requests that the steps began have ended, and what moves stands still.
  await page.waitForLoadState('networkidle')
  const isWindow = view.isLong === true || (await page.locator('dialog[open]').count()) > 0
  await page.screenshot({ path: file, fullPage: !isWindow, animations: 'disabled' })
  const overflow = await page.evaluate<number>(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  )
  const isDesk = look.device === 'desk'
  const walked =
    !view.isLong && isDesk === (look.colorScheme === 'light') ? (await walkByTab(page)).faults : []
  const zoomed = isDesk && look.colorScheme === 'light' ? await tooWideZoomed(page) : []
  await page.context().close()
  const notes = view.isMissing ? complaints.filter(text => !text.includes('status of 404')) : complaints
  return [
    ...(fault ? [fault] : []),
    ...notes,
    ...walked,
    ...zoomed,
    ...(overflow > 0 ? [`${overflow} px too wide`] : []),
  ]
}

function noFault(): undefined {}

/** Opens a page as its reader sees it. */
async function openView(
  browser: Browser,
  { open, accounts }: Sites,
  { path, by, at }: View,
  { device, colorScheme, language }: Look,
): Promise<{ readonly page: Page; readonly complaints: readonly string[] }> {
  const options = { colorScheme, width: WIDTHS[device], language }
  if (at === undefined && by !== OPERATOR) {
    return openPage(browser, `${open.url}${path}`, { ...options, ...(by !== VISITOR && { user: by }) })
  }
  const site = at === undefined ? open.url : accounts
  if (by === VISITOR) return openPage(browser, `${site}${path}`, options)
  const opened = await openPage(
    browser,
    at === undefined ? await adminLink(open) : `${site}/sign-in`,
    options,
  )
  const { page } = opened
  if (at !== undefined) {
    const [name = '', value = ''] = (await sessionOf(site, by)).split('=')
    await page.context().addCookies([{ name, value, url: site }])
  } else await page.locator('header nav').first().waitFor()
  await page.goto(`${site}${path}`)
  return opened
}
