import { LOTS_PER_CONTRACT } from '../../../core/units.js'
import { account } from '../account.js'
import { useBuyingPower } from '../ticket/buying-power.js'
import type { AmendingPower } from './amendment.js'

/** Returns what a user can trade with in a market, and what open orders lock there. */
export function useAmendingPower(eventId: string): AmendingPower {
  const power = useBuyingPower(eventId)
  const position = account.value.positions?.find(({ event_id }) => event_id === eventId)
  const lots = (contracts = 0) => Math.round(contracts * LOTS_PER_CONTRACT)
  return { ...power, yesLocked: lots(position?.yes_locked), noLocked: lots(position?.no_locked) }
}
