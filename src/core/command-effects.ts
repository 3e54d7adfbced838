import type { Command } from './command.js'
import type { CreatedMarket } from './group-command.js'
import type { Outcome } from './market.js'
import type { AccountNumber, MarketCode } from './units.js'

/** A result that a command sets. */
export interface SetResult {
  readonly market: MarketCode
  readonly outcome: Outcome
  readonly sourceUrl?: string | undefined
  readonly note?: string | undefined
}

type Escrow = readonly [AccountNumber, MarketCode]

/** Asked for each order: most commands create nothing and set no result. */
const NOTHING: readonly never[] = []

/** Returns the markets that a command creates. */
export function createdMarketsOf(command: Command): readonly CreatedMarket[] {
  if (command.type === 'CREATE_MARKET') return [command]
  return command.type === 'CREATE_GROUP' ? command.markets : NOTHING
}

/** Returns the escrows that a command opens: each with the code of its pool. */
export function escrowsOf(command: Command): readonly Escrow[] {
  if (command.type === 'CREATE_MARKET') return [[command.terms.escrow, command.terms.code]]
  if (command.type !== 'CREATE_GROUP') return NOTHING
  const { code, escrow } = command.terms
  return escrow === undefined
    ? command.markets.map(({ terms }): Escrow => [terms.escrow, terms.code])
    : [[escrow, code]]
}

/** Returns the results that a command sets. */
export function resultsOf(command: Command): readonly SetResult[] {
  if (command.type === 'RESOLVE_MARKET') return [command]
  if (command.type !== 'RESOLVE_GROUP') return NOTHING
  const { sourceUrl, note } = command
  return command.outcomes.map(([market, outcome]) => ({ market, outcome, sourceUrl, note }))
}
