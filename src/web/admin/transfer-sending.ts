import type { RaayError, TransferReceipt } from '../../client/client.js'
import { clients } from './admin-access.js'
import type { PendingTransfer } from './pending-transfer.js'
import type { FieldFault } from './trouble-words.js'
import { faultOf } from './trouble-words.js'

/** Sends a transfer, again where no answer comes: under one `txn_id` it counts once. */
export function sendTransfer({
  userid,
  direction,
  amount,
  txn_id,
}: PendingTransfer): Promise<TransferReceipt> {
  return clients.peek().doing.operator[direction](userid, { amount, txn_id })
}

/** Why a transfer was not done; `isKnown` where it is certain that it was not. */
export function transferFault(
  error: Pick<RaayError, 'code' | 'message'>,
): FieldFault & { readonly isKnown: boolean } {
  const { code, message } = error
  if (code === 404) return { field: 'userid', words: 'There is no such user.', isKnown: true }
  if (code === 409 && message.startsWith('Funds'))
    return { field: 'amount', words: `${message}.`, isKnown: true }
  if (code === 400 || code === 401 || code === 403 || code === 409 || code === 422) {
    return { ...faultOf(error, ['userid', 'amount']), isKnown: true }
  }
  const words = 'No answer came, so it may be done or not. Send it again: under its number it counts once.'
  return { field: undefined, words, isKnown: false }
}
