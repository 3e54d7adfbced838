import { samples } from '../../src/api/samples.js'
import type { TestExchange } from '../fixtures/test-exchange.js'
import type { Call, Called } from './documented-client.js'

type Ask = (id: string, status: number, call?: Call) => Promise<Called>
type Refuse = (id: string, status: number, call?: Call) => Promise<void>

const { title: _, ...terms } = samples.newEvent
const CUP = { ...terms, title: 'Cup', kind: 'exclusive', outcomes: [{ title: 'India' }, { title: 'Kenya' }] }
const WHOLE = { userid: 'asha', outcomes: [], quantity: 1, direction: 'build' }

/** Creates a group, and returns how to name it and its first event. */
async function create(call: Ask, change: object = {}) {
  const { additional } = await call('createGroup', 201, { body: { ...CUP, ...change } })
  const code = String(additional)
  return { of: { with: { code } }, first: String(Number(code) + 1) }
}

/** Lets every operation on groups succeed; asha has an account. */
export async function callGroups(call: Ask, test: TestExchange): Promise<void> {
  const { of, first } = await create(call, { none_of_these: true })
  await call('listGroups', 200, { with: { limit: 1 } })
  await call('getGroup', 200, of)
  await call('getGroupMoney', 200, of)
  for (const preview of ['true', undefined]) {
    await call('convertContracts', 200, { with: { ...of.with, preview }, body: WHOLE })
  }
  await call('getGroupPosition', 200, { with: { ...of.with, userid: 'asha' } })
  await call('getEvent', 200, { with: { code: first } })
  await call('editGroup', 200, { ...of, body: { description: 'The final.' } })
  for (const id of ['haltGroup', 'resumeGroup', 'closeGroup']) await call(id, 200, of)
  await call('previewGroupSettlement', 200, { with: { ...of.with, winner: first, limit: 1, cursor: '4' } })
  await call('resolveGroup', 200, { ...of, body: { winner: first, note: 'Final' } })
  await test.exchange.drain()
  await call('getGroup', 200, of)
  await call('listStatement', 200, { with: { userid: 'asha' } })
  const other = await create(call, { title: 'Days', kind: 'independent' })
  await call('closeGroup', 200, other.of)
  await call('resolveGroup', 200, { ...other.of, body: { outcomes: { [other.first]: 'yes' } } })
}

/** Lets every operation on groups be refused; asha has an account, and money for a hundred contracts. */
export async function refuseGroups(call: Ask, refuse: Refuse): Promise<void> {
  const { of, first } = await create(call)
  const other = await create(call, { title: 'Days', kind: 'independent' })
  const away = { with: { code: '7' } }
  const taken = { ...CUP, outcomes: [{ title: 'Nepal' }, { title: 'India' }] }
  await refuse('createGroup', 409, { body: taken })
  await refuse('createGroup', 422, { body: {} })
  await refuse('createGroup', 422, { body: { ...CUP, outcomes: [{ title: 'India' }] } })
  await refuse('listGroups', 422, { with: { cursor: 'x' } })
  await refuse('getGroup', 404, away)
  await refuse('getGroupPosition', 404, { with: { ...away.with, userid: 'asha' } })
  await refuse('getGroupPosition', 404, { with: { ...of.with, userid: 'nobody' } })
  await refuse('getGroupPosition', 409, { with: { ...other.of.with, userid: 'asha' } })
  await refuse('convertContracts', 404, { ...away, body: WHOLE })
  await refuse('convertContracts', 409, { ...of, body: { ...WHOLE, direction: 'release' } })
  await refuse('convertContracts', 409, { ...other.of, body: WHOLE })
  await refuse('convertContracts', 422, { ...of, body: { userid: 'asha', outcomes: [] } })
  await refuse('convertContracts', 422, { ...of, body: { ...WHOLE, outcomes: ['7'] } })
  await refuse('getGroupMoney', 404, away)
  const wins = (winner: string) => ({ with: { ...of.with, winner } })
  await refuse('previewGroupSettlement', 404, { with: { ...away.with, winner: first } })
  await call('previewGroupSettlement', 409, wins(first))
  await refuse('previewGroupSettlement', 409, { with: { ...other.of.with, winner: 'void' } })
  await refuse('previewGroupSettlement', 422, wins('7'))
  await refuse('editGroup', 404, { ...away, body: { title: 'Final' } })
  await refuse('editGroup', 422, { ...of, body: {} })
  await refuse('resolveGroup', 404, { ...away, body: { winner: first } })
  await refuse('resolveGroup', 422, { ...of, body: { winner: '7' } })
  await refuse('resolveGroup', 422, { ...other.of, body: {} })
  // The example names the second event of an exchange: the group's first one is another here.
  await call('resolveGroup', 409, { ...of, body: { winner: first } })
  await call('closeGroup', 200, of)
  await refuse('editGroup', 409, { ...of, body: { fee_taker_bp: 5 } })
  await call('resolveGroup', 200, { ...of, body: { winner: first } })
  for (const id of ['haltGroup', 'resumeGroup', 'closeGroup']) {
    await refuse(id, 404, away)
    await call(id, 409, of)
  }
}

/** Lets the operations on a group be refused that need room in the queue, which is full now. */
export async function refuseGroupsForRoom(refuse: Refuse, code: string): Promise<void> {
  const of = { with: { code } }
  await refuse('createGroup', 503, { body: { ...CUP, title: 'Another' } })
  await refuse('convertContracts', 503, { ...of, body: WHOLE })
  await refuse('editGroup', 503, { ...of, body: { title: 'Final' } })
}

/** Creates the group for `refuseGroupsForRoom`; returns its code. */
export async function createForRoom(call: Ask): Promise<string> {
  return (await create(call)).of.with.code
}
