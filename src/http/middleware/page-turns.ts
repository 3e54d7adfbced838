/** Longest queue of pages: at most two seconds of work. */
const WAITING_MAX = 256

const waiting: (() => void)[] = []
let isTaken = false

/**
 * Resolves when work of some milliseconds may run: one piece per round of the event loop, so that quick
 * requests never wait for more than one. Undefined if too much is waiting already.
 *
 * @param schedule runs work in a round that has time for it
 */
export function nextTurn(schedule: (work: () => void) => void = setImmediate): Promise<void> | undefined {
  if (waiting.length >= WAITING_MAX) return undefined
  if (isTaken) return new Promise(resolve => waiting.push(resolve))
  isTaken = true
  const giveTurn = () => {
    const next = waiting.shift()
    isTaken = next !== undefined
    if (next === undefined) return
    schedule(giveTurn)
    next()
  }
  schedule(giveTurn)
  return Promise.resolve()
}
