import type { Refusal, TimeInForce } from './order.js'
import type { TimeMs } from './units.js'

/** The optional instructions of an order; one that is not given stays out of the journal. */
export interface OrderOptions {
  readonly timeInForce?: TimeInForce
  /** When the resting rest expires (GTD); absent if it rests until cancelled or the market closes. */
  readonly expiresAt?: TimeMs
  /** Refused if the engine reaches it after this time. */
  readonly validUntil?: TimeMs
  /** Refused if any of it would match on arrival. */
  readonly postOnly?: true
  /** Only sells contracts that its user holds. */
  readonly reduceOnly?: true
  /** The set of quotes to which it belongs. */
  readonly quoteSet?: string
}

/** Every option by name, undefined where it is not given: so the compiler finds one that was forgotten. */
export type EveryOption = { readonly [Name in keyof Required<OrderOptions>]: OrderOptions[Name] | undefined }

const NAMES = Object.keys({
  timeInForce: true,
  expiresAt: true,
  validUntil: true,
  postOnly: true,
  reduceOnly: true,
  quoteSet: true,
} satisfies Record<keyof OrderOptions, true>) as (keyof OrderOptions)[]

const NO_OPTIONS: OrderOptions = {}

/** Returns the options of an order that are given, and nothing else of it. */
export function givenOptions(order: Partial<EveryOption>): OrderOptions {
  return hasOptions(order) ? collectOptions(order) : NO_OPTIONS
}

/** Returns true if any option is given; nearly all orders have none, so this comes first. */
export function hasOptions(order: Partial<EveryOption>): boolean {
  const { timeInForce, expiresAt, validUntil, postOnly, reduceOnly, quoteSet } = order
  return (
    timeInForce !== undefined ||
    expiresAt !== undefined ||
    validUntil !== undefined ||
    postOnly !== undefined ||
    reduceOnly !== undefined ||
    quoteSet !== undefined
  )
}

function collectOptions(order: Partial<EveryOption>): OrderOptions {
  const given: Partial<Record<keyof OrderOptions, unknown>> = {}
  for (const name of NAMES) if (order[name] !== undefined) given[name] = order[name]
  return given as OrderOptions
}

/** Returns the refusal of an order whose own time is over when it is judged. */
export function expiryRefusal({ expiresAt, validUntil }: OrderOptions, at: TimeMs): Refusal | undefined {
  if (expiresAt !== undefined && expiresAt <= at) return 'order_expired'
  return validUntil !== undefined && validUntil < at ? 'order_expired' : undefined
}
