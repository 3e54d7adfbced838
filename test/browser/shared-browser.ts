import type { Browser } from 'playwright-core'
import t from 'tap'
import { closePages, startBrowser } from '../fixtures/browser.js'
import type { Teardown } from '../fixtures/server/server-directory.js'

/** One renderer for all pages of a context: what the last one compiled, the next one has. */
const FLAGS = ['--renderer-process-limit=1']

let started: Promise<Browser> | undefined

/**
 * Returns the browser that the tests of this process share; a start costs 0.7 CPU seconds. What a test
 * opens is closed at its end, and nothing that a page could read stays.
 */
export async function sharedBrowser(test: Teardown): Promise<Browser> {
  started ??= startBrowser(t, {}, FLAGS)
  const browser = await started
  test.teardown(() => closePages(browser))
  return browser
}
