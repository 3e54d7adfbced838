import type { ShownHolding } from '../../api/groups/shown-group.js'
import type { Ledger } from '../../core/ledger.js'
import type { AccountNumber, MarketCode, QuantityLots } from '../../core/units.js'
import { lots } from '../../core/units.js'
import type { ConversionPreview } from './conversions.js'
import type { DeskGroup } from './desk-group.js'

/**
 * Returns what a user holds in an exclusive group.
 *
 * @param preview of a conversion that is counted as made, unless it would be refused
 */
export function holdingOf(
  ledger: Ledger,
  group: DeskGroup,
  account: AccountNumber,
  preview?: ConversionPreview,
): ShownHolding {
  const { payout, code } = group.terms
  const held = group.live.map(market => {
    const { yes, no, ...contracts } = ledger.contracts(market.terms.code, account)
    const moved = (side: 'yes' | 'no', before: QuantityLots) =>
      lots(before + movedOf(preview, side, market.terms.code))
    return [market, { ...contracts, yes: moved('yes', yes), no: moved('no', no) }] as const
  })
  const allNo = held.reduce((sum, [, { no }]) => sum + no, 0)
  const outcomes = held.map(
    ([market, contracts]) =>
      [market, { ...contracts, pays: payout * (allNo + contracts.yes - contracts.no) }] as const,
  )
  const free = held.map(([, { yes, no, yesLocked, noLocked }]) => ({
    yes: yes - yesLocked,
    no: no - noLocked,
  }))
  const freeNo = free.reduce((sum, { no }) => sum + no, 0)
  const least = free.reduce((min, { yes, no }) => Math.min(min, yes - no), free.length > 0 ? Infinity : 0)
  const { paid } = ledger.contracts(code, account)
  return {
    outcomes: new Map(outcomes),
    paid: preview?.moves === undefined ? paid : paid - preview.cash,
    releasable: payout * (freeNo + least),
  }
}

/** Returns by how much a conversion changes the contracts of one side of an outcome. */
function movedOf(preview: ConversionPreview | undefined, side: 'yes' | 'no', code: MarketCode): number {
  if (preview?.moves === undefined) return 0
  const { takes, gives, lots: moved } = preview.moves
  if (takes.side === side && takes.markets.includes(code)) return -moved
  return gives.side === side && gives.markets.includes(code) ? moved : 0
}
