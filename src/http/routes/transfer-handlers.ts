import { DONE } from '../../api/answer-texts.js'
import { ApiError } from '../../api/api-error.js'
import { userIdOf } from '../../api/new-user-id.js'
import { PAISE_PER_RUPEE, transferSchema } from '../../api/operator/transfer-schema.js'
import type { TransferAnswer } from '../../api/portfolio/statement-answer.js'
import { REFUSED } from '../../api/refusal-texts.js'
import { userIdIn } from '../../api/user-id.js'
import { validate } from '../../api/validation.js'
import type { TransferDirection } from '../../core/command.js'
import type { Amount } from '../../core/units.js'
import { amount, amountToRupees, UNITS_PER_RUPEE, wholeParts } from '../../core/units.js'
import type { TransferRefusal } from '../../exchange/accounts/transfers.js'
import type { Exchange } from '../../exchange/exchange.js'
import { readJson } from '../middleware/body.js'
import { busy } from '../../doors/capacity-refusal.js'
import { success } from '../middleware/envelope.js'
import { byOf } from '../routing/needs.js'
import { handle } from '../routing/handle.js'
import type { Binding, Call } from '../routing/handle.js'
import { operatorRoutes } from '../../api/operator/operator-routes.js'

const RUPEES = new Intl.NumberFormat('en-IN', { minimumFractionDigits: 2, maximumFractionDigits: 4 })

const RECORDED: Readonly<Record<TransferDirection, string>> = {
  deposit: DONE.depositRecorded,
  withdrawal: DONE.withdrawalRecorded,
}

/** Moves money in and out of the exchange for operators, behind the guard. */
export function transferHandlers(exchange: Exchange): Binding[] {
  return [
    handle(operatorRoutes.deposit, call =>
      transfer(exchange, call, userIdOf(exchange.archive, userIdIn(call.params)), 'deposit'),
    ),
    handle(operatorRoutes.withdraw, call =>
      transfer(exchange, call, userIdOf(exchange.archive, userIdIn(call.params)), 'withdrawal'),
    ),
  ]
}

/**
 * Makes a transfer; 201 means that it is on disk. Every request with the same `txn_id` gets the same answer.
 */
async function transfer(
  exchange: Exchange,
  call: Call,
  userId: string,
  direction: TransferDirection,
): Promise<Response> {
  const body = validate(transferSchema, await readJson(call))
  const request = {
    userId,
    direction,
    amount: unitsOf(body.amount),
    txnId: body.txn_id,
    by: byOf(call, body),
  }
  const row = await exchange.transfer(request)
  if (typeof row === 'string') throw busy(row)
  if ('refusal' in row) throw refused(row)
  const done: TransferAnswer = {
    txn_id: row.txnId,
    userid: userId,
    type: row.direction,
    amount: amountToRupees(row.amount),
    cash: amountToRupees(row.cash),
    createdAt: new Date(row.at).toISOString(),
  }
  return success(call, 201, RECORDED[direction], done)
}

function unitsOf(rupees: number): Amount {
  const paise = wholeParts(rupees, PAISE_PER_RUPEE) ?? 0
  return amount(paise * (UNITS_PER_RUPEE / PAISE_PER_RUPEE))
}

function refused(refusal: TransferRefusal): ApiError {
  switch (refusal.refusal) {
    case 'user_unknown':
      return new ApiError(404, REFUSED.userNotFound, 'user_not_found')
    case 'txn_id_used':
      return new ApiError(409, REFUSED.txnIdUsed, 'txn_id_used')
    case 'funds_insufficient': {
      const available = RUPEES.format(amountToRupees(refusal.available))
      return new ApiError(409, `Insufficient funds: ₹${available} available`, 'funds_insufficient')
    }
  }
}
