import type { TestExchange } from '../fixtures/test-exchange.js'
import { HOUR, START } from '../fixtures/test-exchange.js'
import type { Call, Called } from './documented-client.js'

type Ask = (id: string, status: number, call?: Call) => Promise<Called>
type Refuse = (id: string, status: number, call?: Call) => Promise<void>

const at = (hours: number) => new Date(START + hours * HOUR).toISOString()

/** A season far behind everything else that a test does. */
const planned = (hours: number, changes: object = {}) => ({
  ...{ name: 'Autumn', starts_at: at(hours), ends_at: at(hours + 100), stake: 500 },
  ...changes,
})

/** Lets every operation on seasons succeed. */
export async function callSeasons(call: Ask): Promise<void> {
  const season = await createSeason(call)
  await call('listSeasons', 200)
  await call('getSeason', 200, season)
  await call('editSeason', 200, { ...season, body: { name: 'Winter' } })
  await call('previewTurn', 200, season)
  await call('deleteSeason', 200, season)
}

/** Lets every operation on seasons be refused. */
export async function refuseSeasons(
  { call, test }: { readonly call: Ask; readonly test: TestExchange },
  refuse: Refuse,
): Promise<void> {
  const season = await createSeason(call)
  const away = { with: { season: 99 } }
  await refuse('createSeason', 409, { body: planned(50_010) })
  await refuse('createSeason', 422, { body: {} })
  await refuse('createSeason', 422, { body: planned(-5) })
  await refuse('createSeason', 422, { body: planned(9, { ends_at: at(9) }) })
  await refuse('editSeason', 422, { ...season, body: { ends_at: at(1) } })
  await refuse('editSeason', 422, { ...season, body: { starts_at: at(-1) } })
  await call('createSeason', 201, { body: planned(60_000) })
  await refuse('editSeason', 409, { ...season, body: { ends_at: at(60_001) } })
  await refuse('getSeason', 404, away)
  await refuse('editSeason', 404, { ...away, body: {} })
  await refuse('deleteSeason', 404, away)
  await refuse('previewTurn', 404, away)
  await refuse('getLeaderboard', 404, { with: { season: 99 } })
  test.now = START + 50_000 * HOUR
  await refuse('editSeason', 409, { ...season, body: { stake: 7 } })
  await refuse('deleteSeason', 409, season)
}

/** Lets the operations be refused that need room in the queue, which is full now. */
export async function refuseSeasonsForRoom(refuse: Refuse, season: Call): Promise<void> {
  await refuse('createSeason', 503, { body: planned(70_000) })
  await refuse('editSeason', 503, { ...season, body: { stake: 7 } })
  await refuse('deleteSeason', 503, season)
}

/** Creates a season; returns how to name it. */
export async function createSeason(call: Ask, hours = 50_000): Promise<Call> {
  const { additional } = await call('createSeason', 201, { body: planned(hours) })
  return { with: { season: (additional as { season: number }).season } }
}
