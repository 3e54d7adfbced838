import type { Browser, CDPSession, Page } from 'playwright-core'
import { openPage } from '../../fixtures/browser.js'

/** Slow 4G, as browsers' tools define it. */
const SLOW_4G = { latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750, offline: false }
const CPU_SLOWDOWN = 4

/** The load of a page as its visitor sees it. */
export interface PageFigures {
  /** Bytes received until the page is quiet, headers included. */
  readonly bytes: number
  readonly firstPaintMs: number
  /** The sum of all layout shifts that no input caused. */
  readonly layoutShift: number
  /** The longest time for which a task blocked the page; 0 if none took 50 ms. */
  readonly longestTaskMs: number
  /** From a click to the frame that shows its effect; undefined where nothing was clicked. */
  readonly interactionMs: number | undefined
}

interface Observed {
  shift: number
  task: number
  interaction: number
}

/**
 * Loads a page with an empty cache on a slow phone's network and processor, and clicks the first element that
 * fits a selector.
 */
export async function measurePage(browser: Browser, address: string, clicked?: string): Promise<PageFigures> {
  const { page } = await openPage(browser, 'about:blank', { user: 'meera', width: 390 })
  try {
    const session = await page.context().newCDPSession(page)
    const received = await slowDown(session)
    await page.addInitScript({ content: OBSERVE })
    await page.goto(address)
    await page.waitForLoadState('networkidle')
    const bytes = received()
    const firstPaintMs = await page.evaluate<number>(FIRST_PAINT)
    const { shift, task } = await observed(page)
    if (clicked !== undefined) {
      await page.locator(clicked).first().click()
      await page.waitForTimeout(500)
    }
    const interactionMs = clicked === undefined ? undefined : (await observed(page)).interaction
    return { bytes, firstPaintMs, layoutShift: shift, longestTaskMs: task, interactionMs }
  } finally {
    await page.context().close()
  }
}

/** Slows the page down; returns a function that says how many bytes it has received. */
async function slowDown(session: CDPSession): Promise<() => number> {
  let bytes = 0
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength
  })
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', SLOW_4G)
  await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN })
  return () => bytes
}

/** Runs in the page, before its own scripts. */
const OBSERVE = `
  const observed = { shift: 0, task: 0, interaction: 0 }
  window.observed = observed
  const watch = (type, note, more) =>
    new PerformanceObserver(list => list.getEntries().forEach(note)).observe({ type, buffered: true, ...more })
  watch('layout-shift', ({ value, hadRecentInput }) => { if (!hadRecentInput) observed.shift += value })
  watch('longtask', ({ duration }) => { observed.task = Math.max(observed.task, duration) })
  const note = ({ duration, interactionId }) => {
    if (interactionId) observed.interaction = Math.max(observed.interaction, duration)
  }
  watch('event', note, { durationThreshold: 16 })`

const FIRST_PAINT = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN"

function observed(page: Page): Promise<Observed> {
  return page.evaluate<Observed>('window.observed')
}
