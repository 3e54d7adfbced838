import type { Locator, Page } from 'playwright-core'

const TABS_MAX = 200

/** Finds the faults of the element that has the focus; null once the focus has left the page. */
const FOCUSED = `(() => {
  const at = document.activeElement
  if (at === null || at === document.body) return null
  const words = at.tagName.toLowerCase() + (at.id && '#' + at.id) + '.' + String(at.className) + ' "' +
    (at.getAttribute('aria-label') ?? at.textContent.trim()).slice(0, 40) + '"'
  const isMarked = element => [undefined, '::after', '::before'].some(part => {
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element, part)
    return (outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none'
  })
  const marked = isMarked(at) || (at.nextElementSibling !== null && isMarked(at.nextElementSibling)) ||
    at.closest(':focus-within:not(body, html, main, section, form)') !== null && [...function* () {
      for (let up = at.parentElement, step = 0; up !== null && step < 3; up = up.parentElement, step++) yield up
    }()].some(isMarked)
  const box = at.getBoundingClientRect()
  const points = [[0.5, 0.5], [0.1, 0.2], [0.9, 0.2], [0.1, 0.8], [0.9, 0.8]].map(([x, y]) =>
    document.elementFromPoint(box.left + box.width * x, box.top + box.height * y))
  const isSeen = points.some(found => found !== null && (at.contains(found) || found.contains(at) ||
    (at.labels !== undefined && [...at.labels ?? []].some(label => label.contains(found)))))
  const faults = []
  if (!marked) faults.push('focus not visible on ' + words)
  if (!isSeen) faults.push('focus hidden on ' + words)
  // A field for a time has several stops.
  const isAgain = at.dataset.walked === 'true' && at !== window.walkedLast
  at.dataset.walked = 'true'
  window.walkedLast = at
  return { words, faults, isAgain }
})()`

interface Focused {
  readonly words: string
  readonly faults: readonly string[]
  /** True if the walk was here before, and elsewhere since. */
  readonly isAgain: boolean
}

/**
 * Walks through a page with Tab, from its top until the focus leaves it. Returns the faults: a focus that cannot
 * be seen or lies beneath something else, and one that cannot be left.
 */
export async function walkByTab(
  page: Page,
): Promise<{ readonly steps: string[]; readonly faults: string[] }> {
  const steps: string[] = []
  const faults: string[] = []
  await page.evaluate('document.activeElement?.blur?.()')
  for (let step = 0; step < TABS_MAX; step++) {
    await page.keyboard.press('Tab')
    const focused = await page.evaluate<Focused | null>(FOCUSED)
    if (focused === null || (focused.isAgain && steps[0] === focused.words)) return { steps, faults }
    if (focused.isAgain) return { steps, faults: [...faults, `the focus goes round at ${focused.words}`] }
    steps.push(focused.words)
    faults.push(...focused.faults)
  }
  return { steps, faults: [...faults, 'the focus never leaves the page'] }
}

/** Presses Tab until an element has the focus; fails if it never gets there. */
export async function tabTo(page: Page, place: string | Locator): Promise<void> {
  const target = typeof place === 'string' ? page.locator(place) : place
  await target.first().waitFor()
  for (let step = 0; step < TABS_MAX; step++) {
    if (await target.first().evaluate(element => element === element.ownerDocument.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`the keyboard does not reach ${place}`)
}

/** Presses a button, follows a link or sends a form, with the keyboard. */
export async function enterAt(page: Page, place: string | Locator): Promise<void> {
  await tabTo(page, place)
  await page.keyboard.press('Enter')
}
