import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import type { UserLimits } from '../../../client/client.js'
import { FormField } from '../../forms/form-field.jsx'
import { FormFoot } from '../../forms/form-foot.jsx'
import { Modal } from '../../kit/modal.jsx'
import { t as frame } from '../../texts/admin-frame.js'
import { t } from '../../texts/admin-users.js'
import { clients } from '../admin-clients.js'
import { numberIn, writtenNumber } from '../number-input.js'
import { useOperatorAction } from '../operator-action.js'

interface LimitsDialogProps {
  readonly limits: UserLimits
  readonly onEnd: () => void
}

/**
 * Sets the most that an order of a user may be worth, and how many may be open. A bound that was left as it
 * was is not sent: another operator may have set it meanwhile.
 */
export function LimitsDialog({ limits: latest, onEnd }: LimitsDialogProps) {
  /** As they were when the dialog was opened; the page reads them again and again. */
  const limits = useRef(latest).current
  const written = (bound: number | null) => (bound === null ? '' : writtenNumber(bound))
  const [value, count] = [
    useSignal(written(limits.order_value_max)),
    useSignal(written(limits.open_orders_max)),
  ]
  const { fault, isBusy, refuse, run } = useOperatorAction(['order_value_max', 'open_orders_max'])
  const submit = (event: Event) => {
    event.preventDefault()
    const [order_value_max, open_orders_max] = [boundIn(value.value), boundIn(count.value)]
    if (order_value_max === undefined) return refuse({ field: 'order_value_max', words: t.enterAmount })
    if (open_orders_max === undefined || !Number.isInteger(open_orders_max ?? 1)) {
      return refuse({ field: 'open_orders_max', words: t.enterCount })
    }
    const change = {
      ...(order_value_max !== limits.order_value_max && { order_value_max }),
      ...(open_orders_max !== limits.open_orders_max && { open_orders_max }),
    }
    return run(async () => {
      if (Object.keys(change).length > 0) await clients.doing.operator.setUserLimits(limits.userid, change)
      onEnd()
    })
  }
  return (
    <Modal class="picker" onClose={onEnd} aria-labelledby="limits-title">
      <form class="form" onSubmit={submit} noValidate>
        <h2 id="limits-title">{t.limitsOf(limits.userid)}</h2>
        <FormField
          {...{ name: 'order_value_max', label: t.orderValue, hint: t.orderValueHint, kind: 'number' }}
          text={value}
          fault={fault}
        />
        <FormField
          {...{ name: 'open_orders_max', label: t.openOrdersMax, hint: t.openOrdersHint, kind: 'number' }}
          text={count}
          fault={fault}
        />
        <FormFoot fault={fault}>
          <button type="button" class="button" onClick={onEnd}>
            {frame.cancel}
          </button>
          <button type="submit" class="button button-main" disabled={isBusy}>
            {frame.save}
          </button>
        </FormFoot>
      </form>
    </Modal>
  )
}

/** Reads a bound as typed: null for none, undefined if it is no number above zero. */
function boundIn(text: string): number | null | undefined {
  if (text.trim() === '') return null
  const bound = numberIn(text)
  return bound === undefined || bound <= 0 ? undefined : bound
}
