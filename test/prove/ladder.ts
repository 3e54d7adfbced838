import { noBrowser } from '../fixtures/browser.js'
import { watchLadder } from '../fixtures/server/ladder-watch.js'

const MB = 1_000_000
const LATE_SHARE_MAX = 0.02
const HEAP_GROWTH_MB_MAX = 2

/** Measures late frames and memory of a ladder at 50 updates a second; skipped without a browser. */
export async function proveLadder(updates: number, say: (line: string) => void): Promise<boolean> {
  if (noBrowser !== false) {
    say(`ladder: skipped, ${noBrowser}`)
    return true
  }
  const ends: (() => unknown)[] = []
  try {
    const watch = await watchLadder({ teardown: end => ends.unshift(end) }, updates)
    const { seconds, frames, lateFrames, medianMs, p99Ms, changes, heapBefore, heapAfter } = watch
    const grown = (heapAfter - heapBefore) / MB
    say(
      `ladder: ${updates} updates in ${seconds.toFixed(1)} s, ${frames} frames (median ${medianMs.toFixed(1)} ms, ` +
        `p99 ${p99Ms.toFixed(1)} ms, ${lateFrames} later than 50 ms), ${changes} of them with news; ` +
        `heap ${(heapBefore / MB).toFixed(1)} → ${(heapAfter / MB).toFixed(1)} MB, ` +
        `nodes ${watch.nodesBefore} → ${watch.nodesAfter}`,
    )
    return lateFrames <= frames * LATE_SHARE_MAX && grown < HEAP_GROWTH_MB_MAX
  } finally {
    for (const end of ends) await end()
  }
}
