import type { Balance, Order, UserLimits, ValuedPosition } from '../../../client/client.js'
import { RaayError } from '../../../client/client.js'
import { clients } from '../admin-clients.js'

/** All that the top of a user’s page shows. */
export interface ShownUser {
  readonly userid: string
  readonly balance: Balance
  readonly limits: UserLimits
  readonly positions: readonly ValuedPosition[]
  readonly orders: readonly Order[]
}

const ORDERS_MAX = 200
const NO_MONEY: Balance = { cash: 0, held: 0, available: 0 }

/** Loads a user. An account that has not traded yet has no money and no orders. Rejects with RaayError. */
export async function loadUser(userid: string): Promise<ShownUser> {
  const { asking } = clients
  const [limits, balance, positions, orders] = await Promise.all([
    asking.operator.fetchUserLimits(userid),
    asking.fetchBalance({ userid }).catch(unlessUnknown<Balance>(NO_MONEY)),
    asking.fetchPositions({ userid }).catch(unlessUnknown<readonly ValuedPosition[]>([])),
    asking.fetchOpenOrders({ userid, limit: ORDERS_MAX }).catch(unlessUnknown<readonly Order[]>([])),
  ])
  return { userid, balance, limits, positions, orders }
}

function unlessUnknown<Value>(nothing: Value): (error: unknown) => Value {
  return error => {
    if (error instanceof RaayError && error.code === 404) return nothing
    throw error
  }
}
