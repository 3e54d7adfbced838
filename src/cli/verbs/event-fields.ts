import { ConfigError } from '../../server/config.js'
import type { Server } from '../client.js'
import { call } from '../client.js'
import type { Written } from '../flags.js'
import { momentOf } from '../input/moment.js'
import { numberOf } from '../input/number.js'
import type { EventView } from './event-text.js'

/** Flags that say more of a new event than its title. */
export const EVENT_FIELDS = [
  'description',
  'start',
  'end',
  'min-bet',
  'max-bet',
  'sot',
  'quantity',
  'payout',
  'tick-size',
] as const

/** What an event is that only its title and its end are given of. */
const DEFAULTS = { start: 'now', minBet: '0', maxBet: '100000', sot: 'other', quantity: '100000' }

/** Creates an event from its flags, and answers it. Throws ConfigError, CallError. */
export async function createdEvent(server: Server, { words, texts }: Written): Promise<EventView> {
  const code = await call(server, 'POST', '/events/create', bodyOf(words[0] ?? '', texts, Date.now()))
  return (await call(server, 'GET', `/events/${String(code)}`)) as EventView
}

function bodyOf(title: string, texts: Written['texts'], now: number): object {
  if (texts.end === undefined) {
    throw new ConfigError('say when trading ends, such as --end +7d or --end 2026-12-31T18:30:00Z')
  }
  const { payout, 'tick-size': tickSize } = texts
  return {
    title,
    description: texts.description ?? title,
    start_date: momentOf('start', texts.start ?? DEFAULTS.start, now),
    end_date: momentOf('end', texts.end, now),
    min_bet: numberOf('--min-bet', texts['min-bet'] ?? DEFAULTS.minBet),
    max_bet: numberOf('--max-bet', texts['max-bet'] ?? DEFAULTS.maxBet),
    sot: texts.sot ?? DEFAULTS.sot,
    quantity: numberOf('--quantity', texts.quantity ?? DEFAULTS.quantity),
    ...(payout !== undefined && { payout: numberOf('--payout', payout) }),
    ...(tickSize !== undefined && { tick_size: numberOf('--tick-size', tickSize) }),
  }
}
