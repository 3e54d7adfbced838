import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { adminLink, noBrowser, openPage, startBrowser } from '../../fixtures/browser.js'
import type { SpawnedServer } from '../../fixtures/server-process.js'
import { spawnTestServer } from '../../fixtures/server-process.js'
import { makeSheet } from './sheet.js'
import type { View } from './views.js'
import { OPERATOR, viewsOf } from './views.js'
import { fillWorld } from './world.js'

const WIDTHS = { desk: 1280, phone: 360 } as const
const SCHEMES = ['light', 'dark'] as const
const LANGUAGES = ['en', 'hi'] as const

interface Look {
  readonly device: keyof typeof WIDTHS
  readonly colorScheme: (typeof SCHEMES)[number]
  readonly language: (typeof LANGUAGES)[number]
}

/**
 * Takes pictures of every page, on a desk and on a phone, in light and in dark, in English and in Hindi, and
 * puts those of each language on a sheet. Returns true if no page complained or was wider than its window.
 */
export async function provePictures(directory: string, say: (line: string) => unknown): Promise<boolean> {
  if (noBrowser !== false) {
    say(noBrowser)
    return false
  }
  const ends: (() => unknown)[] = []
  const t = { teardown: (end: () => unknown) => void ends.unshift(end) }
  mkdirSync(directory, { recursive: true })
  try {
    const server = await spawnTestServer(t)
    const views = viewsOf(await fillWorld(server.client))
    const browser = await startBrowser(t)
    const faults: string[] = []
    for (const language of LANGUAGES) {
      const names: string[] = []
      for (const view of views) {
        for (const look of looksIn(language)) {
          const name = `${view.name}-${look.device}-${look.colorScheme}-${language}.png`
          const found = await takePicture(browser, server, view, look, join(directory, name))
          faults.push(...found.map(fault => `${name}: ${fault}`))
          names.push(name)
        }
      }
      say(`${names.length} pictures: ${await makeSheet(browser, directory, language, names)}`)
    }
    for (const fault of faults) say(fault)
    return faults.length === 0
  } finally {
    for (const end of ends) await end()
  }
}

function looksIn(language: Look['language']): Look[] {
  const devices = Object.keys(WIDTHS) as (keyof typeof WIDTHS)[]
  return devices.flatMap(device => SCHEMES.map(colorScheme => ({ device, colorScheme, language })))
}

/** Takes one picture; returns what the page complained of. */
async function takePicture(
  browser: Browser,
  server: SpawnedServer,
  { path, by, isMissing }: View,
  { device, colorScheme, language }: Look,
  file: string,
): Promise<string[]> {
  const isOperator = by === OPERATOR
  const first = isOperator ? await adminLink(server) : `${server.url}${path}`
  const width = WIDTHS[device]
  const user = isOperator ? {} : { user: by }
  const { page, complaints } = await openPage(browser, first, { ...user, colorScheme, width, language })
  if (isOperator) {
    await page.locator('header nav').first().waitFor()
    await page.goto(`${server.url}${path}`)
  }
  await page.waitForLoadState('networkidle')
  await page.screenshot({ path: file, fullPage: true })
  const overflow = await page.evaluate<number>(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  )
  await page.context().close()
  const notes = isMissing ? complaints.filter(text => !text.includes('status of 404')) : complaints
  return [...notes, ...(overflow > 0 ? [`${overflow} px too wide`] : [])]
}
