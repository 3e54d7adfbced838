import type { Signal } from '@preact/signals'
import { useSignal } from '@preact/signals'
import type { FieldFault } from '../../forms/field-faults.js'
import { FormField } from '../../forms/form-field.jsx'
import { Choice } from '../../kit/choice.jsx'
import { rupeesText } from '../../kit/number-texts.js'
import { t as frame } from '../../texts/admin-frame.js'
import { t } from '../../texts/admin-users.js'
import { clients } from '../admin-clients.js'
import { writtenNumber } from '../number-input.js'
import { useOperatorAction } from '../operator-action.js'
import type { Direction, PendingTransfer } from './pending-transfer.js'
import { keepTransfer, pendingTransfer } from './pending-transfer.js'
import type { TransferTexts } from './transfer-sending.js'
import { sendTransfer, transferFault, transferIn } from './transfer-sending.js'

interface MoneyFormProps {
  /** The user; empty if the operator types the name. */
  readonly userid: string
  readonly onEnd: (done: string) => void
}

const NAMES = { deposit: t.deposit, withdraw: t.withdraw } as const

/** A deposit or a withdrawal: a new one, or one to retry after no response. */
export function MoneyForm({ userid, onEnd }: MoneyFormProps) {
  const unanswered = pendingTransfer.peek()
  const direction = useSignal<Direction>(unanswered?.direction ?? 'deposit')
  const texts: TransferTexts = {
    userid: useSignal(unanswered?.userid ?? userid),
    amount: useSignal(unanswered === undefined ? '' : writtenNumber(unanswered.amount)),
    txnId: useSignal(unanswered?.txn_id ?? clients.doing.operator.newTxnId()),
  }
  const { fault, isBusy, refuse, run } = useOperatorAction([], error => {
    const { isKnown, isNumberUsed, ...found } = transferFault(error)
    if (isKnown) keepTransfer(undefined)
    // Another transfer has this transaction ID: take a new one.
    if (isNumberUsed) texts.txnId.value = clients.doing.operator.newTxnId()
    return found
  })
  const submit = (event: Event) => {
    event.preventDefault()
    const transfer = transferIn(texts, direction.value)
    if ('words' in transfer) return refuse(transfer)
    return run(async () => {
      keepTransfer(transfer)
      const { cash } = await sendTransfer(transfer)
      keepTransfer(undefined)
      onEnd(doneWords(transfer, cash))
    })
  }
  const isPending = pendingTransfer.value !== undefined
  return (
    <form class="form" onSubmit={submit} noValidate>
      <h2 id="money-title">{isPending && !isBusy ? t.noResponse : t.transfer}</h2>
      <TransferFields texts={texts} direction={direction} fault={fault} isFixed={isPending} />
      <p class="note txn">
        {t.transactionId} <code>{texts.txnId.value}</code> {t.safeToRetry}
      </p>
      <p class="fault" role="alert">
        {fault?.field === undefined && fault?.words}
      </p>
      <div class="picker-foot">
        <button type="button" class="button" onClick={() => onEnd('')}>
          {isPending ? t.later : frame.cancel}
        </button>
        <button type="submit" class="button button-main" disabled={isBusy}>
          {isPending && !isBusy ? t.retry : NAMES[direction.value]}
        </button>
      </div>
    </form>
  )
}

interface TransferFieldsProps {
  readonly texts: TransferTexts
  readonly direction: Signal<Direction>
  readonly fault: FieldFault | undefined
  /** A transfer already sent cannot be edited. */
  readonly isFixed: boolean
}

function TransferFields({ texts, direction, fault, isFixed }: TransferFieldsProps) {
  return (
    <fieldset class="form" disabled={isFixed}>
      <Choice
        name="direction"
        legend={t.depositOrWithdraw}
        value={direction}
        options={[
          ['deposit', NAMES.deposit],
          ['withdraw', NAMES.withdraw],
        ]}
      />
      <FormField name="userid" label={t.username} hint={t.usernameHint} text={texts.userid} fault={fault} />
      <FormField
        name="amount"
        label={t.amount}
        hint={t.amountHint}
        text={texts.amount}
        fault={fault}
        kind="number"
      />
    </fieldset>
  )
}

function doneWords({ userid, direction, amount }: PendingTransfer, cash: number): string {
  const words = direction === 'deposit' ? t.deposited : t.withdrew
  return words(rupeesText(amount), userid, rupeesText(cash))
}
