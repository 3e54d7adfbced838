import type { Order } from '../../../client/shapes.js'
import { LOTS_PER_CONTRACT } from '../../../core/units.js'
import { account } from '../account.js'
import { useBuyingPower } from '../ticket/buying-power.js'
import type { AmendingPower } from './amendment.js'
import { ownLockedLots } from './amendment.js'

/** Returns what a user can trade with in a market, and what open orders lock there. */
export function useAmendingPower(order: Order): AmendingPower {
  const power = useBuyingPower(order.event_id)
  const { positions, orders = [] } = account.value
  const position = positions?.find(({ event_id }) => event_id === order.event_id)
  const lots = (contracts = 0) => Math.round(contracts * LOTS_PER_CONTRACT)
  const locked = { yesLocked: lots(position?.yes_locked), noLocked: lots(position?.no_locked) }
  return { ...power, ...locked, ownLocked: ownLockedLots(order, orders, locked) }
}
