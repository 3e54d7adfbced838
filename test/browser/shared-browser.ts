import type { Browser } from 'playwright-core'
import t from 'tap'
import { startBrowser } from '../fixtures/browser.js'
import type { Teardown } from '../fixtures/server/server-directory.js'

let started: Promise<Browser> | undefined

/**
 * Returns the browser that the tests of this process share; a start costs 0.7 CPU seconds. What a test
 * opens is closed at its end, and nothing of it stays: each page has a context of its own.
 */
export async function sharedBrowser(test: Teardown): Promise<Browser> {
  started ??= startBrowser(t)
  const browser = await started
  const before = new Set(browser.contexts())
  test.teardown(async () => {
    const opened = browser.contexts().filter(context => !before.has(context))
    await Promise.all(opened.map(context => context.close()))
  })
  return browser
}
