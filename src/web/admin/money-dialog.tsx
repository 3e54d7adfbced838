import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { rupeesText } from '../number-texts.js'
import { Choice } from '../ticket-fields.jsx'
import { clients, hear } from './admin-access.js'
import { FormField, focusFault } from './form-field.jsx'
import type { Direction, PendingTransfer } from './pending-transfer.js'
import { keepTransfer, pendingTransfer } from './pending-transfer.js'
import { sendTransfer, transferFault } from './transfer-sending.js'
import type { FieldFault } from './trouble-words.js'
import { numberIn, writtenNumber } from './written.js'

interface MoneyDialogProps {
  /** Whose money it is about; empty where it is still to be typed. */
  readonly userid: string
  readonly onEnd: (done: string) => void
}

/** A deposit or a withdrawal, under a number of its own so that it counts once however often it is sent. */
export function MoneyDialog({ userid, onEnd }: MoneyDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    dialog.current?.showModal()
  }, [])
  return (
    <dialog class="picker" ref={dialog} onClose={() => onEnd('')} aria-labelledby="money-title">
      <MoneyForm userid={userid} onEnd={onEnd} />
    </dialog>
  )
}

function MoneyForm({ userid, onEnd }: MoneyDialogProps) {
  const unanswered = pendingTransfer.peek()
  const user = useSignal(unanswered?.userid ?? userid)
  const direction = useSignal<Direction>(unanswered?.direction ?? 'deposit')
  const amount = useSignal(unanswered === undefined ? '' : writtenNumber(unanswered.amount))
  const txnId = useSignal(unanswered?.txn_id ?? clients.peek().doing.operator.newTxnId())
  const fault = useSignal<FieldFault | undefined>(undefined)
  const isBusy = useSignal(false)
  const isPending = pendingTransfer.value !== undefined
  const refuse = (found: FieldFault) => {
    fault.value = found
    focusFault(found)
  }
  const submit = async (event: Event) => {
    event.preventDefault()
    if (isBusy.value) return
    const rupees = numberIn(amount.value)
    if (user.value.trim() === '') return refuse({ field: 'userid', words: 'Type a user’s name.' })
    if (rupees === undefined) return refuse({ field: 'amount', words: 'Give an amount, such as 500.' })
    const transfer: PendingTransfer = {
      userid: user.value.trim(),
      direction: direction.value,
      amount: rupees,
      txn_id: txnId.value,
    }
    isBusy.value = true
    fault.value = undefined
    keepTransfer(transfer)
    try {
      const { cash } = await sendTransfer(transfer)
      keepTransfer(undefined)
      onEnd(doneWords(transfer, cash))
    } catch (error) {
      const heard = hear(error)
      isBusy.value = false
      if (heard === undefined) return
      const { isKnown, ...found } = transferFault(heard)
      if (isKnown) keepTransfer(undefined)
      // A number that stands for another transfer already is of no use here.
      if (heard.code === 409 && heard.message.startsWith('This txn_id')) {
        txnId.value = clients.peek().doing.operator.newTxnId()
      }
      refuse(found)
    }
  }
  return (
    <form class="form" onSubmit={submit} noValidate>
      <h2 id="money-title">{isPending ? 'This transfer was not answered' : 'Deposit or withdraw'}</h2>
      <fieldset class="form" disabled={isPending}>
        <Choice
          name="direction"
          legend="Deposit or withdraw"
          value={direction}
          options={[
            ['deposit', 'Deposit'],
            ['withdraw', 'Withdraw'],
          ]}
        />
        <FormField
          name="userid"
          label="User"
          hint="As they call themselves."
          text={user}
          fault={fault.value}
        />
        <FormField
          name="amount"
          label="Amount, ₹"
          hint="Whole paise."
          text={amount}
          fault={fault.value}
          kind="number"
        />
      </fieldset>
      <p class="note txn">
        Counts once, under <code>{txnId.value}</code>
      </p>
      <p class="fault" role="alert">
        {fault.value?.field === undefined && fault.value?.words}
      </p>
      <div class="picker-foot">
        <button type="button" class="button" onClick={() => onEnd('')}>
          {isPending ? 'Later' : 'Cancel'}
        </button>
        <button type="submit" class="button button-main" disabled={isBusy.value}>
          {isPending ? 'Send it again' : direction.value === 'deposit' ? 'Deposit' : 'Withdraw'}
        </button>
      </div>
    </form>
  )
}

function doneWords({ userid, direction, amount }: PendingTransfer, cash: number): string {
  const done = direction === 'deposit' ? `${rupeesText(amount)} to` : `${rupeesText(amount)} from`
  return `${done} ${userid}: done. They have ${rupeesText(cash)} now.`
}
