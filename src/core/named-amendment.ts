import type { Command } from './command.js'
import type { BatchPart } from './order-names.js'
import type { MarketCode, OrderNumber } from './units.js'

/** The place of the order that an amendment left in force, as if it were a batch of one. */
export const AMENDED = 0

/** A name that a client gave to an amendment, and the order that it leaves in force. */
export interface NamedAmendment extends BatchPart {
  readonly market: MarketCode
  readonly number: OrderNumber
}

/** Returns the named amendment in a command that places no order; one that does has the name as its batch. */
export function namedAmendmentOf(command: Command): NamedAmendment | undefined {
  switch (command.type) {
    case 'REDUCE_ORDER':
    case 'CANCEL_ORDER':
    case 'KEEP_AMENDMENT': {
      const { market, number, amendment } = command
      return amendment && { ...amendment, index: AMENDED, market, number }
    }
    default:
      return undefined
  }
}
