import { copyFileSync } from 'node:fs'
import { Dice } from '../fixtures/dice.js'
import { copyBuild } from '../fixtures/power/build-copy.js'
import type { CutReport } from '../fixtures/power/power-cuts.js'
import { cutPower } from '../fixtures/power/power-cuts.js'
import { record } from '../fixtures/power/recording.js'
import { answerTasks } from './children.js'

const SESSIONS = 3
const ORDERS = 150

/** The parent process's request. */
export interface PowerRound {
  readonly seed: number
  readonly images: number
  /** Runs a copy of the build that checkpoints every few batches. */
  readonly isSmallLog: boolean
}

export type PowerReport = Omit<CutReport, 'unsynced'> & { readonly unsynced: readonly [string, number][] }

/** Records and cuts the runs that the parent process asks for; keeps the trace of one that lost something. */
answerTasks<PowerRound, PowerReport>(async ({ seed, images, isSmallLog }, t) => {
  const dice = new Dice(seed)
  const pages = dice.between(20, 500)
  const smallLog = { file: 'store/database.js', text: 'PAGES = 10_000', by: `PAGES = ${pages}` }
  const bin = isSmallLog ? copyBuild(t, [smallLog]) : undefined
  const recording = await record(t, { dice, sessions: SESSIONS, orders: ORDERS, bin })
  const report = await cutPower(recording, new Dice(seed), images)
  if (report.losses.length + report.faults.length > 0) copyFileSync(recording.trace, `power-${seed}.trace`)
  return { ...report, unsynced: [...report.unsynced] }
})
