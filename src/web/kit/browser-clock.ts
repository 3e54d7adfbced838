import { signal } from '@preact/signals'

const SECOND_MS = 1000

/** The only clock of the pages, in ms since 1970. */
export function nowMs(): number {
  return Date.now()
}

/** The time, updated once a second, for countdowns. */
export const secondClock = signal(nowMs())

setInterval(() => {
  // A hidden page needs no countdown.
  if (!document.hidden) secondClock.value = nowMs()
}, SECOND_MS)
