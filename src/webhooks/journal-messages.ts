import type { Command } from '../core/command.js'
import type { SetResult } from '../core/command-effects.js'
import { resultsOf } from '../core/command-effects.js'
import type { MarketListing, MarketStatus } from '../core/market.js'
import type { MarketCode, TimeMs } from '../core/units.js'
import type { Cursor } from './endpoint-run.js'

/** Something that a committed command says happened. A group is one, and not one for each of its outcomes. */
export type Happening = Cursor & { readonly at: TimeMs } & (
    | {
        readonly kind: 'created'
        readonly code: MarketCode
        readonly listing: Pick<MarketListing, 'id' | 'title'>
      }
    | { readonly kind: 'moved_to'; readonly code: MarketCode; readonly status: MarketStatus }
    | { readonly kind: 'resolved'; readonly code: MarketCode; readonly results: readonly SetResult[] }
  )

/** A committed batch as the journal has it. */
interface Batch {
  readonly sequence: number
  readonly at: TimeMs
  readonly commands: readonly Command[]
}

const TELLING = /"(?:CREATE_(?:MARKET|GROUP)|MOVE_MARKET|RESOLVE_(?:MARKET|GROUP))"/

/** Returns false for a batch, as it is stored, that does nothing of interest: most have orders only. */
export function mayTell(commands: string): boolean {
  return TELLING.test(commands)
}

/**
 * Returns what a batch did that endpoints may hear of. All are numbered, even if no endpoint asks: an id then
 * means the same to each endpoint, and stays the same when one is edited.
 */
export function happeningsIn({ sequence, at, commands }: Batch): Happening[] {
  const happenings: Happening[] = []
  for (const command of commands) {
    const place = { sequence, index: happenings.length, at }
    if (command.type === 'CREATE_MARKET' || command.type === 'CREATE_GROUP') {
      const { terms, listing } = command
      happenings.push({ ...place, kind: 'created', code: terms.code, listing })
    } else if (command.type === 'MOVE_MARKET') {
      happenings.push({ ...place, kind: 'moved_to', code: command.market, status: command.to })
    } else if (command.type === 'RESOLVE_MARKET' || command.type === 'RESOLVE_GROUP') {
      const code = command.type === 'RESOLVE_GROUP' ? command.group : command.market
      happenings.push({ ...place, kind: 'resolved', code, results: resultsOf(command) })
    }
  }
  return happenings
}
