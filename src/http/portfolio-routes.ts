import { Hono } from 'hono'
import { amount, amountToRupees, toContracts } from '../core/units.js'
import type { Exchange } from '../exchange/exchange.js'
import { ApiError, success } from './envelope.js'

const unknownUser = () => new ApiError(404, 'User not found')

/** A user's money and contracts (semantics 2). */
export function portfolioRoutes(exchange: Exchange): Hono {
  return new Hono()
    .get('/:userid/balance', c => {
      const userid = c.req.param('userid')
      const balance = exchange.balance(userid)
      if (balance === undefined) throw unknownUser()
      return success(c, 200, 'Balance fetched successfully', {
        userid,
        cash: amountToRupees(balance.cash),
        held: amountToRupees(balance.held),
        // Holds of orders on their way are not on disk yet, and so nothing to be shown.
        available: amountToRupees(amount(balance.cash - balance.held)),
      })
    })
    .get('/:userid/positions', c => {
      const positions = exchange.positions(c.req.param('userid'))
      if (positions === undefined) throw unknownUser()
      const views = positions.map(({ market, contracts }) => ({
        event_id: String(market),
        yes: toContracts(contracts.yes),
        no: toContracts(contracts.no),
        yes_locked: toContracts(contracts.yesLocked),
        no_locked: toContracts(contracts.noLocked),
      }))
      return success(c, 200, 'Positions fetched successfully', { positions: views })
    })
}
