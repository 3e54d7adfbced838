import type {
  CancelOrder,
  Command,
  CreateOrder,
  MergePairs,
  ReduceOrder,
  ReplaceOrder,
  ReplaceQuotes,
  RequoteHouse,
} from '../core/command.js'
import type { BatchKey, BatchPart } from '../core/order-names.js'
import { hasOptions } from '../core/order-options.js'
import type {
  Cells,
  Every,
  Funds,
  More,
  MoreFunds,
  OrderCells,
  PackedOrder,
  QuotesCells,
  Whole,
} from './command-cells.js'
import { KINDS, SAME, SELF_TRADES } from './command-cells.js'

const FORM = 1

/** The order before in a batch, and the last of a named one: what is the same is not repeated. */
interface Before {
  order: CreateOrder | undefined
  batch: BatchPart | undefined
}

/** Returns the text of a batch. */
export function writeCommands(commands: readonly Command[]): string {
  return batchText(commandsText(commands))
}

/** Returns the text of some commands of a batch; those of several groups are joined by commas. */
export function commandsText(commands: readonly Command[]): string {
  const before: Before = { order: undefined, batch: undefined }
  return JSON.stringify(commands.map(command => packed(command, before))).slice(1, -1)
}

/** Returns the text of the batch with these commands. */
export function batchText(commands: string): string {
  return commands === '' ? `[${FORM}]` : `[${FORM},${commands}]`
}

/** A batch that is damaged, or that a newer program has written. */
export class UnreadableBatchError extends Error {
  override readonly name = 'UnreadableBatchError'
}

/** Reads the commands of a batch, in whatever form. Throws an `UnreadableBatchError` that names the batch. */
export function readCommands(text: string, sequence: number): Command[] {
  let fault: string
  try {
    const read = commandsOf(JSON.parse(text))
    if (typeof read !== 'string') return read
    fault = read
  } catch (error) {
    fault = `cannot be read: ${error instanceof Error ? error.message : String(error)}`
  }
  throw new UnreadableBatchError(`batch ${sequence} ${fault}`)
}

/** Returns the commands of a text, or its fault. */
function commandsOf(items: unknown): Command[] | string {
  if (!Array.isArray(items)) return 'is no list of commands'
  const hasForm = typeof items[0] === 'number'
  if (hasForm && items[0] !== FORM)
    return `has form ${items[0]}, this program knows ${FORM}: start a newer Raay`
  const before: Before = { order: undefined, batch: undefined }
  const commands: Command[] = []
  for (let index = hasForm ? 1 : 0; index < items.length; index++) {
    const item: unknown = items[index]
    const command = hasForm && Array.isArray(item) ? unpacked(item as unknown as Cells, before) : item
    if (!isCommand(command)) return `has a command that this program does not know: ${JSON.stringify(item)}`
    commands.push(command)
  }
  return commands
}

function isCommand(item: unknown): item is Command {
  return typeof (item as Command | null | undefined)?.type === 'string'
}

function packed(command: Command, before: Before): Cells | Command {
  switch (command.type) {
    case 'CREATE_ORDER':
      return packedOrder(command, before)
    case 'CANCEL_ORDER': {
      const { id, market, number, reason, amendment } = command
      return named([KINDS.cancel, id, market, number, reason], amendment)
    }
    case 'REDUCE_ORDER': {
      const { id, market, number, lots, amendment } = command
      return named([KINDS.reduce, id, market, number, lots], amendment)
    }
    case 'REPLACE_ORDER': {
      const { id, market, number, remaining, order, isMinChecked, extraHold, extraCovered } = command
      const isChecked = isMinChecked === true ? 1 : 0
      const place = packedOrder(order, before)
      return [KINDS.replace, id, market, number, remaining, place, isChecked, extraHold, extraCovered]
    }
    case 'REPLACE_QUOTES':
      return packedQuotes(KINDS.quotes, command, before)
    case 'REQUOTE_HOUSE':
      return [...packedQuotes(KINDS.house, command, before), command.trades]
    case 'MERGE_PAIRS':
      return [KINDS.merge, command.id, command.market, command.account, command.quantity]
    default:
      return command
  }
}

function named<T extends readonly unknown[]>(
  cells: T,
  amendment: BatchKey | undefined,
): T | [...T, BatchKey] {
  return amendment === undefined ? cells : [...cells, amendment]
}

function packedQuotes<Kind>(
  kind: Kind,
  { id, market, account, cuts, extraHold, extraYes, extraNo, orders }: ReplaceQuotes | RequoteHouse,
  before: Before,
): QuotesCells<Kind> {
  const placed = orders.map(order => packedOrder(order, before))
  return [kind, id, market, account, cuts, extraHold, extraYes, extraNo, placed]
}

function packedOrder(order: CreateOrder, before: Before): PackedOrder {
  const { id, data, market, number, suffix, account, orderType, selfTrade, outcome, admission } = order
  const last = before.order
  // A refused order, and one of a program of before, is rare.
  if (!('hold' in admission) || admission.makersMax === undefined || data.market !== String(market)) {
    return order
  }
  // No exchange gives this number to a market or an account.
  if (market === SAME || account === SAME) return order
  before.order = order
  const isSameUser = last !== undefined && last.account === account && last.data.userId === data.userId
  const traits =
    (data.side === 'no' ? 1 : 0) +
    (outcome === 'no' ? 2 : 0) +
    (orderType === 'MO' ? 4 : 0) +
    8 * SELF_TRADES.indexOf(selfTrade)
  const cells: OrderCells = [
    KINDS.order,
    id,
    market === last?.market ? SAME : market,
    number,
    suffix,
    isSameUser ? SAME : account,
    isSameUser ? SAME : data.userId,
    traits,
    data.price,
    data.quantity,
    admission.price,
    admission.quantity,
    admission.covered,
    admission.hold,
    admission.makersMax,
  ]
  const more = moreOf(order, admission, before)
  return more === undefined ? cells : ([...cells, more] as unknown as OrderCells)
}

/** Returns what few orders have; undefined for all others. */
function moreOf(order: CreateOrder, admission: Funds, before: Before): More | undefined {
  const { key, name, batch, asked } = order
  const { cappedByBet, fees, costMax } = admission
  const isPaid = cappedByBet === undefined && fees === undefined && costMax === undefined
  const isNamed = key !== undefined || name !== undefined || batch !== undefined || asked !== undefined
  if (isPaid && !isNamed && !hasOptions(order)) return undefined
  const { timeInForce, expiresAt, validUntil, postOnly, reduceOnly, quoteSet } = order
  const last = before.batch
  if (batch !== undefined) before.batch = batch
  const isSame = batch !== undefined && last?.name === batch.name && last.fingerprint === batch.fingerprint
  const options = { timeInForce, expiresAt, validUntil, postOnly, reduceOnly, quoteSet }
  const funds: Every<Funds, 'makersMax'> = { cappedByBet, fees, costMax }
  const every: Every<CreateOrder, 'batch'> = { ...options, key, name, asked }
  // JSON leaves out what is undefined.
  return { ...every, batch: isSame ? batch.index : batch, funds: isPaid ? undefined : funds } as More
}

function unpacked(cells: Cells, before: Before): Command | undefined {
  switch (cells[0]) {
    case KINDS.order:
      return unpackedOrder(cells, before)
    case KINDS.cancel: {
      const [, id, market, number, reason, amendment] = cells
      const command: Whole<CancelOrder, 'amendment'> = { type: 'CANCEL_ORDER', id, market, number, reason }
      return withName(cells, 5, command, amendment)
    }
    case KINDS.reduce: {
      const [, id, market, number, lots, amendment] = cells
      const command: Whole<ReduceOrder, 'amendment'> = { type: 'REDUCE_ORDER', id, market, number, lots }
      return withName(cells, 5, command, amendment)
    }
    case KINDS.replace: {
      const [, id, market, number, remaining, place, isMinChecked, extraHold, extraCovered] = cells
      const order = cells.length === 9 ? unpackedOrder(place, before) : undefined
      if (order === undefined) return undefined
      const command: Whole<ReplaceOrder, 'isMinChecked'> = {
        ...{ type: 'REPLACE_ORDER', id, market, number, remaining, order, extraHold, extraCovered },
      }
      return isMinChecked === 1 ? { ...command, isMinChecked: true } : command
    }
    case KINDS.quotes: {
      const changes = cells.length === 9 ? unpackedQuotes(cells, before) : undefined
      return changes && { type: 'REPLACE_QUOTES', ...changes }
    }
    case KINDS.house: {
      const changes = cells.length === 10 ? unpackedQuotes(cells, before) : undefined
      const trades = cells[9]
      return changes && ({ type: 'REQUOTE_HOUSE', ...changes, trades } satisfies Whole<RequoteHouse>)
    }
    case KINDS.merge: {
      const [, id, market, account, quantity] = cells
      const command: Whole<MergePairs> = { type: 'MERGE_PAIRS', id, market, account, quantity }
      return cells.length === 5 ? command : undefined
    }
    default:
      return undefined
  }
}

function withName<T extends CancelOrder | ReduceOrder>(
  { length }: Cells,
  count: number,
  command: T,
  amendment: BatchKey | undefined,
): T | undefined {
  if (length === count) return command
  return length === count + 1 ? { ...command, amendment } : undefined
}

function unpackedQuotes(
  cells: QuotesCells<unknown> | readonly [...QuotesCells<unknown>, number],
  before: Before,
): Whole<ReplaceQuotes, 'type'> | undefined {
  const [, id, market, account, cuts, extraHold, extraYes, extraNo, placed] = cells
  const orders: CreateOrder[] = []
  for (const place of placed) {
    const order = unpackedOrder(place, before)
    if (order === undefined) return undefined
    orders.push(order)
  }
  return { id, market, account, cuts, extraHold, extraYes, extraNo, orders }
}

function unpackedOrder(place: PackedOrder, before: Before): CreateOrder | undefined {
  if (!isList(place)) return isCommand(place) ? place : undefined
  const last = before.order
  const [kind, id, knownMarket, number, suffix, knownAccount, knownUser, traits] = place
  const market = knownMarket === SAME ? last?.market : knownMarket
  const account = knownAccount === SAME ? last?.account : knownAccount
  const userId = knownUser === SAME ? last?.data.userId : knownUser
  const selfTrade = Number.isInteger(traits) ? SELF_TRADES[Math.floor(traits / 8)] : undefined
  const isKnown = kind === KINDS.order && (place.length === 15 || place.length === 16)
  if (!isKnown || selfTrade === undefined) return undefined
  if (market === undefined || account === undefined || userId === undefined) return undefined
  const [, , , , , , , , dataPrice, dataQuantity, price, quantity, covered, hold, makersMax, more] = place
  const side = (traits & 1) === 0 ? 'yes' : 'no'
  const data: Whole<CreateOrder['data']> = {
    ...{ market: String(market), price: dataPrice, quantity: dataQuantity, side, userId },
  }
  const admission: Whole<Funds, keyof MoreFunds> = { price, quantity, covered, hold, makersMax }
  const plain: Omit<CreateOrder, 'asked'> = {
    type: 'CREATE_ORDER',
    id,
    data,
    market,
    number,
    suffix,
    account,
    orderType: (traits & 4) === 0 ? 'LO' : 'MO',
    selfTrade,
    outcome: (traits & 2) === 0 ? 'yes' : 'no',
    admission,
  }
  const order = plain as CreateOrder
  before.order = order
  return more === undefined ? order : withMore(order, more, before)
}

function withMore(order: CreateOrder, more: More, before: Before): CreateOrder | undefined {
  if (typeof more !== 'object') return undefined
  const { batch, funds, ...others } = more
  const part = typeof batch === 'number' ? before.batch && { ...before.batch, index: batch } : batch
  if (typeof batch === 'number' && part === undefined) return undefined
  if (part !== undefined) before.batch = part
  const admission = funds === undefined ? order.admission : { ...order.admission, ...funds }
  return { ...order, ...others, admission, ...(part !== undefined && { batch: part }) }
}

const isList = (place: PackedOrder): place is OrderCells => Array.isArray(place)
