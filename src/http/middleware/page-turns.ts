/** Longest queue of pages: at most two seconds of work. */
const WAITING_MAX = 256

const waiting: (() => void)[] = []
let isTaken = false

/**
 * Resolves when work of some milliseconds may run: one piece per round of the event loop, so that quick
 * requests never wait for more than one. Undefined if too much is waiting already.
 */
export function nextTurn(): Promise<void> | undefined {
  if (waiting.length >= WAITING_MAX) return undefined
  if (isTaken) return new Promise(resolve => waiting.push(resolve))
  isTaken = true
  setImmediate(giveTurn)
  return Promise.resolve()
}

function giveTurn(): void {
  const next = waiting.shift()
  isTaken = next !== undefined
  if (next === undefined) return
  setImmediate(giveTurn)
  next()
}
