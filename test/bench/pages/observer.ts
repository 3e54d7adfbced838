import type { Page } from 'playwright-core'

/** A page’s notes about itself. */
export interface Observed {
  /**
   * The layout shift since the last reading, as browsers count it: the largest sum of shifts that no input caused
   * and that followed each other within a second, over 5 s at most.
   */
  readonly shift: number
  /** The longest task since then, from 50 ms; 0 without any. */
  readonly task: number
  /** The slowest interaction since then, from input to the frame that shows it; at least 16 ms. */
  readonly interaction: number
  /** From the navigation to the first text or picture. */
  readonly firstPaintMs: number
  /** From the navigation to the element that makes the page usable; NaN until it is there. */
  readonly usableMs: number
}

/** Returns the script that observes a page; it runs before the page's own. */
export function observer(usable: string): string {
  return `(() => {
    const observed = { shift: 0, task: 0, interaction: 16, usableMs: NaN }
    window.observed = observed
    const watch = (type, note, more) =>
      new PerformanceObserver(list => list.getEntries().forEach(note)).observe({ type, buffered: true, ...more })
    const burst = { sum: 0, first: -Infinity, last: -Infinity }
    watch('layout-shift', ({ value, hadRecentInput, startTime }) => {
      if (hadRecentInput) return
      const goesOn = startTime - burst.last < 1000 && startTime - burst.first < 5000
      if (!goesOn) Object.assign(burst, { sum: 0, first: startTime })
      Object.assign(burst, { sum: burst.sum + value, last: startTime })
      observed.shift = Math.max(observed.shift, burst.sum)
    })
    watch('longtask', ({ duration }) => { observed.task = Math.max(observed.task, duration) })
    const note = ({ duration, interactionId }) => {
      if (interactionId) observed.interaction = Math.max(observed.interaction, duration)
    }
    watch('event', note, { durationThreshold: 16 })
    const seen = new MutationObserver(() => {
      if (document.querySelector(${JSON.stringify(usable)}) === null) return
      seen.disconnect()
      requestAnimationFrame(() => setTimeout(() => { observed.usableMs = performance.now() }))
    })
    seen.observe(document, { childList: true, subtree: true })
  })()`
}

/** Returns what a page has noted, and lets it start over. */
export function readObserved(page: Page): Promise<Observed> {
  return page.evaluate<Observed>(`(() => {
    const [paint] = performance.getEntriesByName('first-contentful-paint')
    const { shift, task, interaction, usableMs } = observed
    Object.assign(observed, { shift: 0, task: 0, interaction: 16 })
    return { shift, task, interaction, usableMs, firstPaintMs: paint?.startTime ?? NaN }
  })()`)
}
