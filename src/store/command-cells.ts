import type { Admission, CreateOrder, ReplaceQuotes } from '../core/command.js'
import type { CancelReason } from '../core/order.js'
import type { BatchKey, BatchPart } from '../core/order-names.js'
import type {
  AccountNumber,
  Amount,
  MarketCode,
  OrderNumber,
  PriceTicks,
  QuantityLots,
} from '../core/units.js'

/*
 * The text of a batch in the journal. Its form is its first element: `[1,[…],{…}]`. A frequent command is a
 * list, with its kind first; every other one is the command as JSON. Batches of before, `[{…},…]`, have no
 * form and are all JSON; they stay readable for ever. A form is never changed: a change is a new form, and a
 * step of the tables, so that no older program opens them.
 */

export const KINDS = {
  order: 1,
  cancel: 2,
  reduce: 3,
  replace: 4,
  quotes: 5,
  house: 6,
  merge: 7,
} as const
type Kinds = typeof KINDS

/** In place of a market, or of an account and its user: those of the order before in the batch. */
export const SAME = 0

export const SELF_TRADES = ['taker', 'maker', 'off'] as const

export type Funds = Extract<Admission, { hold: Amount }>
/** The keys of the fields that may be missing or undefined. */
type Optional<T> = { [Key in keyof T]-?: undefined extends T[Key] ? Key : never }[keyof T]
/** All of those by name: so the compiler finds one that was forgotten. */
export type Every<T, But = never> = { readonly [Key in Exclude<Optional<T>, But>]: T[Key] | undefined }
/** All fields of a command by name: so the compiler finds one that its list does not have. */
export type Whole<T, But extends keyof T = never> = Required<Omit<T, But>>

export type MoreFunds = Pick<Funds, 'cappedByBet' | 'fees' | 'costMax'>
/** The fields that few orders have. A batch as a number is that of the order before, at another place. */
export interface More extends Omit<Pick<CreateOrder, Optional<CreateOrder>>, 'batch'> {
  readonly batch?: BatchPart | number | undefined
  readonly funds?: MoreFunds | undefined
}

export type OrderCells = readonly [
  kind: Kinds['order'],
  id: string,
  market: MarketCode | typeof SAME,
  number: OrderNumber,
  suffix: string,
  account: AccountNumber | typeof SAME,
  userId: string | typeof SAME,
  traits: number,
  dataPrice: number,
  dataQuantity: number,
  price: PriceTicks,
  quantity: QuantityLots,
  covered: QuantityLots,
  hold: Amount,
  makersMax: number,
  more?: More,
]
/** An order as a list, or as JSON where it does not fit. */
export type PackedOrder = OrderCells | CreateOrder

export type QuotesCells<Kind> = readonly [
  kind: Kind,
  id: string,
  market: MarketCode,
  account: AccountNumber,
  cuts: ReplaceQuotes['cuts'],
  extraHold: Amount,
  extraYes: QuantityLots,
  extraNo: QuantityLots,
  orders: readonly PackedOrder[],
]

export type Cells =
  | OrderCells
  | readonly [Kinds['cancel'], id: string, MarketCode, OrderNumber, CancelReason, amendment?: BatchKey]
  | readonly [Kinds['reduce'], id: string, MarketCode, OrderNumber, QuantityLots, amendment?: BatchKey]
  | readonly [
      kind: Kinds['replace'],
      id: string,
      market: MarketCode,
      number: OrderNumber,
      remaining: QuantityLots,
      order: PackedOrder,
      isMinChecked: 0 | 1,
      extraHold: Amount,
      extraCovered: QuantityLots,
    ]
  | QuotesCells<Kinds['quotes']>
  | readonly [...QuotesCells<Kinds['house']>, trades: number]
  | readonly [Kinds['merge'], id: string, MarketCode, AccountNumber, QuantityLots]
