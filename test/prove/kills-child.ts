import { cpSync } from 'node:fs'
import { Dice } from '../fixtures/dice.js'
import type { KillsReport } from '../fixtures/server/same-order-kills.js'
import { sendThroughKills } from '../fixtures/server/same-order-kills.js'
import { answerTasks } from './children.js'

/** The parent process's request: a seed, and how often to kill the server. */
export interface KillsRound {
  readonly seed: number
  readonly kills: number
}

/** Plays the rounds that the parent process sends; keeps the data directory of one with a fault. */
answerTasks<KillsRound, KillsReport>(async ({ seed, kills }, t) => {
  const report = await sendThroughKills(t, new Dice(seed), kills)
  if (report.wrong.length > 0) cpSync(report.data, `kills-${seed}.data`, { recursive: true })
  return report
})
