import type { Signal } from '@preact/signals'
import type { RaayError, TransferReceipt } from '../../../client/client.js'
import type { FieldFault } from '../../forms/field-faults.js'
import { faultOf } from '../../forms/field-faults.js'
import { t } from '../../texts/admin-users.js'
import { clients } from '../admin-clients.js'
import { numberIn } from '../number-input.js'
import type { Direction, PendingTransfer } from './pending-transfer.js'

/** A transfer form as typed, and its generated transaction ID. */
export interface TransferTexts {
  readonly userid: Signal<string>
  readonly amount: Signal<string>
  readonly txnId: Signal<string>
}

interface TransferFault extends FieldFault {
  /** True if the transfer certainly did not happen. */
  readonly isKnown: boolean
  /** True if another transfer has the same transaction ID. */
  readonly isNumberUsed: boolean
}

/** Reads the form; returns the transfer, or the first unreadable field. */
export function transferIn(texts: TransferTexts, direction: Direction): PendingTransfer | FieldFault {
  const [userid, amount] = [texts.userid.value.trim(), numberIn(texts.amount.value)]
  if (userid === '') return { field: 'userid', words: t.enterUsername }
  if (amount === undefined) return { field: 'amount', words: t.enterAmount }
  return { userid, direction, amount, txn_id: texts.txnId.value }
}

/** Sends a transfer with retries; one `txn_id` counts once. */
export function sendTransfer(transfer: PendingTransfer): Promise<TransferReceipt> {
  const { userid, direction, amount, txn_id } = transfer
  return clients.doing.operator[direction](userid, { amount, txn_id })
}

/** Explains a failed transfer, or one whose result is unknown. */
export function transferFault(error: Pick<RaayError, 'code' | 'message' | 'reason'>): TransferFault {
  const { code, message, reason } = error
  const isNumberUsed = reason === 'txn_id_used'
  const known = { isKnown: true, isNumberUsed }
  if (code === 404) return { field: 'userid', words: t.notFound, ...known }
  if (reason === 'funds_insufficient') return { field: 'amount', words: `${message}.`, ...known }
  // Any other error may follow an attempt that succeeded without a response.
  if ([400, 409, 413, 422].includes(code)) return { ...faultOf(error, ['userid', 'amount']), ...known }
  return { field: undefined, words: t.uncertain, isKnown: false, isNumberUsed }
}
