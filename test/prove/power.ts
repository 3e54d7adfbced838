import { copyFileSync } from 'node:fs'
import { Dice, seedOfEnvironment } from '../fixtures/dice.js'
import { copyBuild } from '../fixtures/power/build-copy.js'
import type { CutReport } from '../fixtures/power/power-cuts.js'
import { cutPower } from '../fixtures/power/power-cuts.js'
import { record, recordingTrouble } from '../fixtures/power/recording.js'
import { readTrace } from '../fixtures/power/trace.js'

/**
 * Cuts the power for any number of images. Each round records a new run from the next seed and cuts it
 * at many points. Every other round runs a copy of the build that checkpoints every few batches.
 * Returns true if nothing was lost.
 *
 * The cuts of a round come from its seed, but the scheduling of the server's threads is not
 * repeatable: a round that finds something keeps its trace, to be cut again with `--trace FILE` and
 * that seed.
 */
export async function provePower(images: number, trace: string | undefined, say: Say): Promise<boolean> {
  const seed = seedOfEnvironment()
  return trace === undefined ? cutMany(images, seed, say) : cutAgain(trace, seed, say)
}

const ROUND_IMAGES = 500
const SESSIONS = 3
const ORDERS = 150
const SHOWN_MAX = 5

type Say = (line: string) => unknown

async function cutAgain(trace: string, seed: number, say: Say): Promise<boolean> {
  const recording = { records: readTrace(trace), asked: new Map() }
  const report = await cutPower(recording, new Dice(seed), ROUND_IMAGES)
  const good = isGood(seed, report, say)
  if (good) say(`RAAY_SEED=${seed}: ${report.images} images, no loss and no fault`)
  return good
}

async function cutMany(images: number, first: number, say: Say): Promise<boolean> {
  const trouble = recordingTrouble()
  if (trouble !== undefined) {
    say(`no power can be cut here: ${trouble}`)
    return false
  }
  let claims = 0
  let bad = 0
  const unsynced = new Map<string, number>()
  for (let done = 0, seed = first; done < images; seed++) {
    const report = await cutRound(seed, Math.min(ROUND_IMAGES, images - done), (seed - first) % 2 === 1, say)
    done += report.images
    claims += report.claims
    bad += report.losses.length + report.faults.length
    for (const [name, count] of report.unsynced) unsynced.set(name, (unsynced.get(name) ?? 0) + count)
    say(`RAAY_SEED=${seed}: ${done} images, ${claims} looked for, ${bad} images with a loss or a fault`)
  }
  say(`images with unsynced changes: ${Array.from(unsynced, pair => pair.join(' ')).join(', ')}`)
  return bad === 0
}

async function cutRound(seed: number, count: number, isSmallLog: boolean, say: Say): Promise<CutReport> {
  const ends: (() => unknown)[] = []
  const round = { teardown: (end: () => unknown) => void ends.unshift(end) }
  try {
    const dice = new Dice(seed)
    const pages = dice.between(20, 500)
    const smallLog = { file: 'store/database.js', text: 'PAGES = 10_000', by: `PAGES = ${pages}` }
    const bin = isSmallLog ? copyBuild(round, [smallLog]) : undefined
    const recording = await record(round, { dice, sessions: SESSIONS, orders: ORDERS, bin })
    const report = await cutPower(recording, new Dice(seed), count)
    if (!isGood(seed, report, say)) copyFileSync(recording.trace, `power-${seed}.trace`)
    return report
  } finally {
    for (const end of ends) await end()
  }
}

/** Prints the faults, if there are any. */
function isGood(seed: number, { losses, faults }: CutReport, say: Say): boolean {
  for (const line of [...losses, ...faults].slice(0, SHOWN_MAX)) say(`RAAY_SEED=${seed}: ${line}`)
  return losses.length + faults.length === 0
}
