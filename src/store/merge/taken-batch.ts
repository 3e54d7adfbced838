import type { Command, CreateOrder } from '../../core/command.js'
import { newOrdersOf } from '../../core/command.js'
import type { BatchOutcome, EngineEvent } from '../../core/engine-event.js'
import type { BatchPart, OrderKey } from '../../core/order-names.js'
import type { OrderRecord } from '../../core/order-record.js'
import { newOrderRecord } from '../../core/order-record.js'
import type { TimeMs } from '../../core/units.js'
import type { BatchPlace } from '../journal.js'
import type { FixedCells } from '../rows/order-columns.js'
import { fixedCells } from '../rows/order-columns.js'

/** A new order, as its row will have it. */
export interface Arrival extends Pick<OrderRecord, 'market' | 'number' | 'account' | 'quantity'> {
  readonly fixed: FixedCells
  readonly key: OrderKey | undefined
  readonly batch: BatchPart | undefined
}

type Traded = Extract<EngineEvent, { type: 'traded' }>

/** A batch as far as the tables have something of it. */
export interface TakenBatch {
  readonly place: BatchPlace
  readonly commandsCount: number
  /** The new orders of all commands, in their order. */
  readonly arrivals: readonly Arrival[]
  /** The commands that say more than arrivals and outcome do, each with its place in the batch. */
  readonly others: readonly (readonly [line: number, Command])[]
  readonly outcome: Omit<BatchOutcome, 'events'> & { readonly trades: readonly Traded[] }
}

/** Returns what the tables take of a batch. */
export function takenBatch(
  commands: readonly Command[],
  { events, ...outcome }: BatchOutcome,
  place: BatchPlace,
): TakenBatch {
  const arrivals: Arrival[] = []
  const others: [number, Command][] = []
  for (const [line, command] of commands.entries()) {
    for (const order of newOrdersOf(command)) arrivals.push(arrivalOf(order, place.at))
    if (!isKnownByOutcome(command)) others.push([line, command])
  }
  const trades = events.filter(event => event.type === 'traded')
  return { place, commandsCount: commands.length, arrivals, others, outcome: { ...outcome, trades } }
}

function arrivalOf(command: CreateOrder, at: TimeMs): Arrival {
  const record = newOrderRecord(command, at)
  const { market, number, account, quantity } = record
  return {
    market,
    number,
    account,
    quantity,
    fixed: fixedCells(record),
    key: command.key,
    batch: command.batch,
  }
}

function isKnownByOutcome(command: Command): boolean {
  switch (command.type) {
    case 'CREATE_ORDER':
    case 'REPLACE_QUOTES':
    case 'REQUOTE_HOUSE':
    case 'MERGE_PAIRS':
    case 'CLEAR_BOOK':
    case 'SETTLE_POSITIONS':
      return true
    case 'CANCEL_ORDER':
    case 'REDUCE_ORDER':
      return command.amendment === undefined
    default:
      return false
  }
}
