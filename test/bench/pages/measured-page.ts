import type { Browser, CDPSession, Page } from 'playwright-core'
import type { PageOptions } from '../../fixtures/browser.js'
import { openPage } from '../../fixtures/browser.js'
import type { InstalledFont } from '../../fixtures/installed-font.js'
import { observer, readObserved } from './observer.js'

/** Slow 4G: 1.6 Mbit/s down, 0.75 up, and 150 ms for each request and its answer. */
const SLOW_4G = { latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750, offline: false }
const CPU_SLOWDOWN = 4
/** Two more round trips, for TCP and for TLS, which the browser's emulation of a network leaves out. */
export const CONNECTING_MS = 2 * SLOW_4G.latency
/** A frame is late by more than this only when a task holds it up, which then counts. */
const SETTLE_MS = 300

/** Something that a visitor does on a page. */
export interface Step {
  readonly name: string
  /** Acts, and waits for the effect. */
  readonly act: (page: Page) => Promise<unknown>
}

/** A visit to a page. */
export interface Visit {
  readonly name: string
  readonly path: string
  /** Selects an element without which the page cannot be used. */
  readonly usable: string
  readonly options?: PageOptions
  /** The only font of the visitor's system; without, those of this machine. */
  readonly font?: InstalledFont
  /** Signs in, say, before the measuring. */
  readonly before?: (page: Page) => Promise<unknown>
  readonly steps: readonly Step[]
  /** As many as of the other visits unless given. */
  readonly rounds?: number
}

export interface StepFigures {
  readonly name: string
  readonly interactionMs: number
  readonly longestTaskMs: number
  readonly layoutShift: number
}

/** A visit as its visitor sees it. */
export interface PageFigures {
  /** Bytes received until the page is usable and quiet, headers included. */
  readonly bytes: number
  /** Those of the fonts among them. */
  readonly fontBytes: number
  /** The first text, connecting included. */
  readonly firstPaintMs: number
  readonly usableMs: number
  /** The shift and the longest task of the load. */
  readonly layoutShift: number
  readonly longestTaskMs: number
  readonly steps: readonly StepFigures[]
}

/** Makes a visit with an empty cache on a slow phone's network and processor. */
export async function measurePage(browser: Browser, url: string, visit: Visit): Promise<PageFigures> {
  const { page } = await openPage(browser, 'about:blank', { width: 390, ...visit.options })
  try {
    await visit.before?.(page)
    await page.goto('about:blank')
    const session = await page.context().newCDPSession(page)
    const received = await slowDown(session)
    await page.addInitScript({ content: observer(visit.usable) })
    await page.goto(url + visit.path)
    await page.locator(visit.usable).first().waitFor()
    await page.waitForLoadState('networkidle')
    await page.evaluate('document.fonts.ready.then(() => {})')
    const load = await readObserved(page)
    const { bytes, fontBytes } = received()
    if (fontBytes === 0) throw new Error(`${visit.name}: the first load is without a font`)
    const steps: StepFigures[] = []
    for (const { name, act } of visit.steps) {
      await act(page)
      await page.waitForTimeout(SETTLE_MS)
      const { interaction, task, shift } = await readObserved(page)
      steps.push({ name, interactionMs: interaction, longestTaskMs: task, layoutShift: shift })
    }
    return {
      bytes,
      fontBytes,
      firstPaintMs: load.firstPaintMs + CONNECTING_MS,
      usableMs: load.usableMs + CONNECTING_MS,
      layoutShift: load.shift,
      longestTaskMs: load.task,
      steps,
    }
  } finally {
    await page.context().close()
  }
}

/** Empties the cache and slows the page down; returns a function that says what it has received. */
async function slowDown(session: CDPSession): Promise<() => { bytes: number; fontBytes: number }> {
  const fonts = new Set<string>()
  const sum = { bytes: 0, fontBytes: 0 }
  session.on('Network.requestWillBeSent', ({ requestId, request }) => {
    if (request.url.endsWith('.woff2')) fonts.add(requestId)
  })
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    sum.bytes += encodedDataLength
    if (fonts.has(requestId)) sum.fontBytes += encodedDataLength
  })
  await session.send('Network.enable')
  await session.send('Network.clearBrowserCache')
  await session.send('Network.emulateNetworkConditions', SLOW_4G)
  await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN })
  return () => ({ ...sum })
}
