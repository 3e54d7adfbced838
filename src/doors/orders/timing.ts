import type { Identity } from '../../access/identity.js'
import { DONE } from '../../api/answer-texts.js'
import { userIdOf } from '../../api/new-user-id.js'
import type { TimerAnswer } from '../../api/orders/timer-routes.js'
import { cancelAfterSchema } from '../../api/orders/timer-routes.js'
import { validate } from '../../api/validation.js'
import type { Exchange } from '../../exchange/exchange.js'
import { busy } from '../capacity-refusal.js'
import { marketOf } from '../market-of.js'
import { checkUser, withOwnUser } from '../own-user.js'
import type { Envelope } from './order-envelope.js'

/**
 * Validates a body and sets the timer of its user, the caller by default; resolves when it is on disk. Throws
 * 403, 404, 409, 422, 503.
 */
export async function setTimerFrom(
  exchange: Exchange,
  caller: Identity,
  input: unknown,
): Promise<Envelope<200, TimerAnswer>> {
  const body = validate(cancelAfterSchema, withOwnUser(caller, input))
  checkUser(caller, body.userid, 'trade')
  const markets = body.events?.map(code => marketOf(exchange, code).terms.code)
  const userId = userIdOf(exchange.archive, body.userid)
  const timeoutMs = Math.round(body.timeout_s * 1000)
  const timer = await exchange.timers.set({ userId, timeoutMs, markets: markets && [...new Set(markets)] })
  if (typeof timer === 'string') throw busy(timer)
  const additional = {
    userid: userId,
    ends_at: timer.endsAt === undefined ? null : new Date(timer.endsAt).toISOString(),
    events: timer.markets?.map(String) ?? null,
  }
  return { status: true, code: 200, message: DONE.timerSet, additional }
}
