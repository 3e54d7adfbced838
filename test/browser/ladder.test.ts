import t from 'tap'
import { noBrowser } from '../fixtures/browser.js'
import { watchLadder } from '../fixtures/server/ladder-watch.js'

/** Some seconds at 50 updates a second; `npm run prove -- --ladder 3000` takes a minute. */
const UPDATES = 300
const HEAP_GROWTH_BYTES_MAX = 2_000_000
const NODE_GROWTH_MAX = 200
/** A tenth of the "good" threshold (0.1), to allow for the first row of the tape. */
const SHIFT_MAX = 0.01

t.test('a constantly changing ladder stays live without leaking memory', { skip: noBrowser }, async t => {
  const watch = await watchLadder(t, UPDATES)
  t.comment(watch)
  // A busy machine draws few frames and several updates in each; a page that is stuck draws none of them.
  t.ok(watch.changes > Math.min(watch.frames / 4, UPDATES / 10), 'the frames show what happened')
  t.ok(watch.changes <= watch.frames, 'and no frame is drawn twice')
  t.ok(watch.shift < SHIFT_MAX, 'nothing moves under the eye')
  t.ok(watch.heapAfter - watch.heapBefore < HEAP_GROWTH_BYTES_MAX, 'what is over is forgotten')
  t.ok(watch.nodesAfter - watch.nodesBefore < NODE_GROWTH_MAX, 'and leaves nothing in the page')
})
