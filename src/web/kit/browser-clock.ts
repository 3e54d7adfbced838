import { signal } from '@preact/signals'

const SECOND_MS = 1000

/** The only clock of the pages, in ms since 1970. */
export function nowMs(): number {
  return Date.now()
}

/** The time, a step a second: what counts down reads it. */
export const secondClock = signal(nowMs())

setInterval(() => {
  // A page that nobody sees has nothing to count down.
  if (!document.hidden) secondClock.value = nowMs()
}, SECOND_MS)
