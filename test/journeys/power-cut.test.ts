import type { Test } from 'tap'
import t from 'tap'
import { Dice } from '../fixtures/dice.js'
import type { Replacement } from '../fixtures/power/build-copy.js'
import { copyBuild } from '../fixtures/power/build-copy.js'
import type { CutReport } from '../fixtures/power/power-cuts.js'
import { cutPower } from '../fixtures/power/power-cuts.js'
import { record, recordingTrouble } from '../fixtures/power/recording.js'

const IMAGES = 50
const SESSIONS = 2
const ORDERS = 100
const DATABASE = 'store/database.js'

/** Checkpoints the log every few batches instead of once in thousands. */
const SMALL_LOG: readonly Replacement[] = [
  { file: DATABASE, text: 'CHECKPOINT_PAGES = 10_000', by: 'CHECKPOINT_PAGES = 100' },
]
/** Plants the weakness, and removes the assertion that would catch it. */
const NORMAL: readonly Replacement[] = [
  { file: DATABASE, text: "pragma('synchronous = FULL')", by: "pragma('synchronous = NORMAL')" },
  { file: DATABASE, text: 'const FULL = 2', by: 'const FULL = 1' },
]

/**
 * Without syncs a cut may tear several transactions at once, which looks like a damaged log, or leave the
 * journal behind the tables: a start then refuses instead of losing what was acknowledged.
 */
const LOSS_REFUSED =
  /^RecoveryError: (?:the write-ahead log \S+ is damaged|\S+ and \S+ do not belong together \(the journal ends at)/

const skip = recordingTrouble() ?? false

/** Trades on a build, cuts its power and returns the report. */
async function cut(t: Test, replacements: readonly Replacement[] = []): Promise<CutReport> {
  const dice = Dice.fromEnvironment(t)
  const bin = replacements.length > 0 ? copyBuild(t, replacements) : undefined
  const recording = await record(t, { dice, sessions: SESSIONS, orders: ORDERS, bin })
  const report = await cutPower(recording, new Dice(dice.seed), IMAGES)
  const { images, claims, losses, faults, unsynced } = report
  t.comment(`seed ${dice.seed}: ${recording.asked.size} orders, ${images} images, ${claims} claims`)
  t.comment(`losses in ${losses.length}, unsynced: ${[...unsynced].join(' ')}`)
  const unproven = faults.filter(fault => replacements !== NORMAL || !LOSS_REFUSED.test(fault))
  t.same(unproven, [], 'the exchange starts on every image, and its journal, tables and money agree')
  const hasFallenBetween = unsynced.has('journal.db-wal') && unsynced.has('raay.db-wal')
  t.ok(hasFallenBetween, 'the cuts fell between writes and syncs')
  return report
}

t.test('a power cut loses no order, trade or event reported to a client', { skip }, async t => {
  const { losses } = await cut(t)
  t.same(losses, [])
})

t.test('a power cut during checkpoints under load loses nothing reported', { skip }, async t => {
  const { losses } = await cut(t, SMALL_LOG)
  t.same(losses, [])
})

t.test('with synchronous=NORMAL the same cuts lose acknowledged orders', { skip }, async t => {
  const { losses, faults } = await cut(t, NORMAL)
  const lost = losses.length + faults.length
  t.ok(lost > 0, `of ${IMAGES} images ${losses.length} lack something, ${faults.length} are refused`)
})

t.test('fails when the weakness to plant is not found in the build', async t => {
  const gone = { file: DATABASE, text: 'synchronous = EXTRA', by: 'synchronous = OFF' }
  t.throws(() => copyBuild(t, [gone]), { message: /holds `synchronous = EXTRA` 0 times, not once/ })
})
