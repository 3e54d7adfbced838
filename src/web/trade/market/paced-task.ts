/** Calls back later, as `setTimeout` does; returns a function that cancels it. */
export type Later = (run: () => void, ms: number) => () => void

/** A task that runs some time after it is asked for, however often that is. */
export interface PacedTask {
  ask(): void
  stop(): void
}

interface Pace {
  /** From the first request to the run. */
  readonly soonMs: number
  /** From the end of a run to the next, at least. */
  readonly gapMs: number
}

const SOON_MS = 300
const SPREAD_MS = 900

/** Merges requests: the task runs soon after the first, and at most once per gap while they go on. */
export function pacedTask(
  run: () => Promise<unknown>,
  { soonMs, gapMs }: Pace,
  later: Later = afterTimeout,
): PacedTask {
  let state: 'idle' | 'waiting' | 'resting' | 'asked' | 'stopped' = 'idle'
  let cancel = () => {}
  const rest = () => {
    if (state === 'stopped') return
    cancel = later(() => {
      const isAsked = state === 'asked'
      state = 'idle'
      if (isAsked) start()
    }, gapMs)
  }
  const start = () => {
    state = 'resting'
    run().then(rest, rest)
  }
  return {
    ask: () => {
      if (state === 'resting') state = 'asked'
      if (state !== 'idle') return
      state = 'waiting'
      cancel = later(start, soonMs)
    },
    stop: () => {
      state = 'stopped'
      cancel()
    },
  }
}

/** Spreads the requests of many pages after one trade: each page has its own delay. */
export function pageSpread(): number {
  return SOON_MS + (performance.timeOrigin % SPREAD_MS)
}

function afterTimeout(run: () => void, ms: number): () => void {
  const timeout = setTimeout(run, ms)
  return () => clearTimeout(timeout)
}
