import t from 'tap'
import { Dice } from '../fixtures/dice.js'

/** The seeds in which a planted fault must be found. */
const PLANTED_SEEDS = 200

/** Plays a world drawn from the dice; returns what is wrong at its end. */
type Play<Planted> = (dice: Dice, planted?: Planted) => Promise<string | undefined>

/** Tests that nothing is wrong in a number of seeds, and that each planted fault is found. */
export function testSeeds<Planted extends string>(
  name: string,
  seeds: number,
  play: Play<Planted>,
  everyPlanted: readonly Planted[],
): void {
  t.test(name, async t => {
    const { seed } = Dice.fromEnvironment(t)
    for (let number = seed; number < seed + seeds; number++) {
      const wrong = await play(new Dice(number))
      if (wrong !== undefined) throw new Error(`seed ${number}: ${wrong}`)
    }
    t.pass(`${seeds} seeds`)
  })
  for (const planted of everyPlanted) {
    t.test(`the judge finds one that ${planted}`, async t => {
      for (let seed = 1; seed <= PLANTED_SEEDS; seed++) {
        const wrong = await play(new Dice(seed), planted)
        if (wrong !== undefined) return t.comment(`seed ${seed}: ${wrong}`)
      }
      return t.fail(`nothing was found in ${PLANTED_SEEDS} seeds`)
    })
  }
}
