import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { openPage, startBrowser } from '../fixtures/browser.js'

/**
 * Takes pictures of the pages of a running exchange, on a desk and on a phone, in light and in dark:
 * node dist/test/browser/pictures.js http://127.0.0.1:3000 /tmp/pictures 1000001 asha
 */
const [url, directory, code, user] = process.argv.slice(2)
if (url === undefined || directory === undefined || code === undefined || user === undefined) {
  throw new Error('say: pictures.js <url> <directory> <event code> <user>')
}

const PAGES = { markets: '/', market: `/market/${code}`, portfolio: '/portfolio' }
const WIDTHS = { desk: 1280, phone: 390, small: 360 }
const ends: (() => unknown)[] = []
mkdirSync(directory, { recursive: true })
try {
  const browser = await startBrowser({ teardown: end => ends.unshift(end) })
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const [device, width] of Object.entries(WIDTHS)) {
      for (const [name, path] of Object.entries(PAGES)) {
        const { page } = await openPage(browser, url + path, { user, colorScheme, width })
        await page.locator('.badge-live').waitFor()
        await page.waitForLoadState('networkidle')
        await page.screenshot({ path: join(directory, `${name}-${device}-${colorScheme}.png`) })
        await page.context().close()
      }
    }
  }
} finally {
  for (const end of ends) await end()
}
