import { FATAL, SURVIVED } from '../fixtures/calls/call-table.js'
import { callTrouble, FailingCalls } from '../fixtures/calls/failing-calls.js'
import { playFatal, playSurvived } from '../fixtures/calls/play-table.js'

/** Fails each system call of the table with each of its errors. Returns true if the exchange did as the table says. */
export async function proveCalls(say: (line: string) => void): Promise<boolean> {
  const trouble = callTrouble()
  if (trouble !== undefined) {
    say(trouble)
    return false
  }
  const ends: (() => unknown)[] = []
  const t = { teardown: (end: () => unknown) => void ends.unshift(end) }
  let isWhole = true
  const report = (what: string, wrong: readonly string[]) => {
    say(`${wrong.length === 0 ? 'ok    ' : 'FAILED'} ${what}`)
    for (const line of wrong) say(`       ${line}`)
    isWhole &&= wrong.length === 0
  }
  try {
    const shared = { t, failing: new FailingCalls(t), allErrors: true, report }
    await playSurvived({ ...shared, rows: SURVIVED })
    await playFatal({ ...shared, rows: FATAL })
  } finally {
    for (const end of ends) await end()
  }
  return isWhole
}
