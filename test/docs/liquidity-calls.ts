import { samples } from '../../src/api/samples.js'
import type { Call, Called } from './documented-client.js'

type Ask = (id: string, status: number, call?: Call) => Promise<Called>
type Refuse = (id: string, status: number, call?: Call) => Promise<void>

const FUNDS = { budget: 100, start_price: 5, step: 0.5 }
const CUP = { ...samples.newEvent, kind: 'independent', outcomes: [{ title: 'India' }, { title: 'Kenya' }] }

/** Creates an event and a group; returns how to name them, by what their operations are called after. */
async function create(call: Ask, title: string) {
  const event = await call('createEvent', 201, { body: { ...samples.newEvent, title } })
  const group = await call('createGroup', 201, { body: { ...CUP, title: `${title} of all` } })
  const of = ({ additional }: Called) => ({ with: { code: String(additional) } })
  return { Event: of(event), Group: of(group) } as const
}

/** Lets every operation on house quotes succeed. */
export async function callLiquidity(call: Ask): Promise<void> {
  const named = await create(call, 'Quoted')
  for (const [what, of] of Object.entries(named)) {
    const previewed = { with: { ...of.with, preview: 'true' }, body: FUNDS }
    await call(`fund${what}Quotes`, 200, previewed)
    await call(`fund${what}Quotes`, 201, { ...of, body: FUNDS })
    await call(`get${what}Quotes`, 200, of)
    await call(`stop${what}Quotes`, 200, of)
  }
}

/** Lets every operation on house quotes be refused. */
export async function refuseLiquidity(call: Ask, refuse: Refuse): Promise<void> {
  const named = await create(call, 'Unquoted')
  const away = { with: { code: '7' } }
  for (const [what, of] of Object.entries(named)) {
    await refuse(`get${what}Quotes`, 404, away)
    await call(`get${what}Quotes`, 200, of)
    await refuse(`stop${what}Quotes`, 404, away)
    await refuse(`stop${what}Quotes`, 404, of)
    await refuse(`fund${what}Quotes`, 404, { ...away, body: FUNDS })
    await refuse(`fund${what}Quotes`, 422, { ...of, body: { ...FUNDS, start_price: 20 } })
    await call(`fund${what}Quotes`, 201, { ...of, body: FUNDS })
    await refuse(`fund${what}Quotes`, 409, { ...of, body: FUNDS })
  }
}

/** Creates an event and a group with quotes, and others without, for `refuseLiquidityForRoom`. */
export async function quoteForRoom(call: Ask) {
  const quoted = await create(call, 'Quoted')
  for (const [what, of] of Object.entries(quoted))
    await call(`fund${what}Quotes`, 201, { ...of, body: FUNDS })
  return { quoted, unquoted: await create(call, 'Unquoted') }
}

/** Lets the operations be refused that need room in the queue, which is full now. */
export async function refuseLiquidityForRoom(
  refuse: Refuse,
  { quoted, unquoted }: Awaited<ReturnType<typeof quoteForRoom>>,
): Promise<void> {
  for (const [what, of] of Object.entries(unquoted)) {
    await refuse(`fund${what}Quotes`, 503, { ...of, body: FUNDS })
  }
  for (const [what, of] of Object.entries(quoted)) await refuse(`stop${what}Quotes`, 503, of)
}
