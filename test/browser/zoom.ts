import type { Page } from 'playwright-core'

/** A window of 1280 × 720 pixels at 200 %. */
const ZOOMED = { width: 640, height: 360 } as const
const LETTER_PX = 16

/** Finds texts that are cut off without a mark, and whether the page scrolls sideways. */
const OVERFLOWS = `(() => {
  const root = document.documentElement
  const words = element => element.tagName.toLowerCase() + '.' + element.className + ' "' +
    element.textContent.trim().slice(0, 40) + '"'
  const found = []
  if (root.scrollWidth > root.clientWidth) found.push('the page is ' + (root.scrollWidth - root.clientWidth) + ' px too wide')
  for (const element of document.querySelectorAll('button, a, label, th, td, dt, dd, h1, h2, h3, summary, .badge, select')) {
    const { display, textOverflow } = getComputedStyle(element)
    const isCut = element.clientWidth > 1 && element.scrollWidth > element.clientWidth + 1
    if (isCut && display !== 'inline' && textOverflow !== 'ellipsis') found.push(words(element))
  }
  return found
})()`

/**
 * Returns what does not fit on a page at 200 % zoom, and with letters twice as large, as readers choose them in the
 * settings of the browser. Leaves the page as it was.
 */
export async function tooWideZoomed(page: Page): Promise<string[]> {
  const before = page.viewportSize()
  const session = await page.context().newCDPSession(page)
  const overflows = () => page.evaluate<string[]>(OVERFLOWS)
  await page.setViewportSize(ZOOMED)
  const zoomed = await overflows()
  await page.setViewportSize({ width: 1280, height: 720 })
  await session.send('Page.setFontSizes', { fontSizes: { standard: 2 * LETTER_PX } })
  const doubled = await overflows()
  await session.send('Page.setFontSizes', { fontSizes: { standard: LETTER_PX } })
  await session.detach()
  if (before !== null) await page.setViewportSize(before)
  return [...zoomed.map(found => `zoomed: ${found}`), ...doubled.map(found => `letters doubled: ${found}`)]
}
