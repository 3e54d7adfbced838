import { join } from 'node:path'
import t from 'tap'
import { Dice } from '../fixtures/dice.js'
import { breakVerb } from '../fixtures/restore/break-verb.js'
import { fileVerbs } from '../fixtures/restore/file-verbs.js'

/** Steps of each verb that are tried, spread over all of them; `npm run prove -- --files 1000` tries all. */
const TRIED = 2

// Verifying in threads of their own, many times, takes long on a busy machine.
t.test(
  'failed or killed at a step, each ends with the old or the new state:',
  { timeout: 300_000 },
  async t => {
    const dice = Dice.fromEnvironment(t)
    const root = t.testdir()
    for (const verb of await fileVerbs(t, root)) {
      await t.test(verb.name, { timeout: 120_000 }, async t => {
        const share = dice.between(0, 999) / 1000
        const chosen = (step: number, steps: number) => {
          const apart = Math.ceil(steps / TRIED)
          return step % apart === Math.floor(share * apart)
        }
        const { steps, tried, ended, wrong } = await breakVerb(verb, join(root, verb.name), chosen)
        t.same(wrong, [])
        t.ok(ended.old + ended.new > 0)
        t.comment(`${tried} times at ${TRIED} of ${steps} steps: ${ended.old} old, ${ended.new} new`)
      })
    }
  },
)
