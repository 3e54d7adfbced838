import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Test } from 'tap'
import type { Replacement } from '../fixtures/power/build-copy.js'
import { copySimulation, plant } from '../fixtures/power/build-copy.js'
import type { RangeReport } from '../prove/simulation-child.js'

/** A fault, how it is planted, and a seed near one that has found it. */
export type Plant = readonly [fault: string, replacements: readonly Replacement[], first?: number]

/**
 * Seeds are played up to the first that breaks a rule. Whatever changes the workload changes what a seed does:
 * the search is so long that it finds another one then.
 */
const SEEDS_MAX = 400

/** Tests that the simulation notices each of these faults. */
export function noticePlants(t: Test, plants: readonly Plant[]): void {
  const copy = copySimulation(t)
  for (const [fault, replacements, first = 1] of plants) {
    t.test(`the simulation notices if ${fault}`, async t => {
      t.teardown(plant(copy, replacements))
      const child = fork(join(copy, 'dist/test/prove/simulation-child.js'))
      t.teardown(() => child.kill('SIGKILL'))
      for (let from = first; from < first + SEEDS_MAX; from++) {
        child.send({ from, length: 1 })
        const [answer] = await Promise.race([once(child, 'message'), once(child, 'exit').then(() => [])])
        const [found] = (answer as RangeReport | undefined)?.failed ?? []
        if (answer !== undefined && found === undefined) continue
        t.pass(found === undefined ? 'the process ended' : `seed ${found.seed}: ${found.broke}`)
        return
      }
      t.fail(`no rule is broken in ${SEEDS_MAX} seeds`)
    })
  }
}
