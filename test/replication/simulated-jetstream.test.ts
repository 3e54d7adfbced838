import { EXCHANGE_FAULTS, playJetstream, STREAM_FAULTS } from '../fixtures/jetstream/jetstream-world.js'
import { testSeeds } from './played-seeds.js'

const SEEDS = Number(process.env.RAAY_SEEDS ?? 20)

testSeeds(
  'no answered order is lost or doubled, whatever happens to the log and its exchanges',
  SEEDS,
  async (dice, planted?: (typeof EXCHANGE_FAULTS | typeof STREAM_FAULTS)[number]) =>
    (await playJetstream(dice, planted)).wrong,
  [...EXCHANGE_FAULTS, ...STREAM_FAULTS],
)
