import t from 'tap'
import { FATAL, SURVIVED } from '../fixtures/calls/call-table.js'
import { callTrouble, FailingCalls } from '../fixtures/calls/failing-calls.js'
import { playFatal, playSurvived } from '../fixtures/calls/play-table.js'

const skip = callTrouble() ?? false
const ONE = { allErrors: false }

t.test('calls that fail beside the trading end nothing, and fail what needs them', { skip }, async t => {
  const report = (what: string, wrong: readonly string[]) => t.same(wrong, [], what)
  const rows = SURVIVED.filter(({ isSlow }) => !isSlow)
  await playSurvived({ t, failing: new FailingCalls(t), rows, ...ONE, report })
})

t.test('calls without which nothing can be kept end the exchange, which loses nothing', { skip }, async t => {
  const report = (what: string, wrong: readonly string[]) => t.same(wrong, [], what)
  await playFatal({
    t,
    failing: new FailingCalls(t),
    rows: FATAL.filter(({ isQuick }) => isQuick),
    ...ONE,
    report,
  })
})
