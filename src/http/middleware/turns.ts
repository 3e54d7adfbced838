/** Pages that may wait to be written: two seconds of work at most. */
const WAITING_MAX = 256

const waiting: (() => void)[] = []
let isTaken = false

/**
 * Resolves when it is the turn of work that takes some milliseconds: one piece of it for each round of the
 * event loop, so that what is quick never waits for more than one. Undefined where too much waits already.
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
