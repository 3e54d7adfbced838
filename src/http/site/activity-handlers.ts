import { DONE } from '../../api/answer-texts.js'
import type { TakingAnswer } from '../../api/site/activity-routes.js'
import { activityQuery, activityRoutes } from '../../api/site/activity-routes.js'
import { amount, amountToRupees, lots, toContracts } from '../../core/units.js'
import { marketOf } from '../../doors/market-of.js'
import type { Exchange } from '../../exchange/exchange.js'
import type { Taking } from '../../exchange/markets/activity.js'
import { success } from '../middleware/envelope.js'
import { queryOf } from '../middleware/query.js'
import type { Binding } from '../routing/handle.js'
import { handle } from '../routing/handle.js'

const TAKINGS_MAX = 20

interface ActivityRooms {
  readonly exchange: Exchange
  readonly isPublic: (userId: string) => boolean
}

/** Serves what people have just traded, with the names of those whose profiles are public at this moment. */
export function activityHandlers({ exchange, isPublic }: ActivityRooms): Binding[] {
  const view = ({ number, market, userId, outcome, isSale, quantity, value, at }: Taking): TakingAnswer => ({
    number,
    event_id: String(market),
    title: exchange.market(market)?.listing.title ?? '',
    userid: isPublic(userId) ? userId : null,
    offer_type: isSale ? 'sell' : 'buy',
    outcome,
    qty: toContracts(lots(quantity)),
    amount: amountToRupees(amount(value)),
    ts: new Date(at).toISOString(),
  })
  return [
    handle(activityRoutes.getActivity, call => {
      const { event_id } = queryOf(call, activityQuery)
      const market = event_id === undefined ? undefined : marketOf(exchange, event_id).terms.code
      const activity = exchange.archive.activity.latest(TAKINGS_MAX, market).map(view)
      return success(call, 200, DONE.activityFetched, { activity })
    }),
  ]
}
