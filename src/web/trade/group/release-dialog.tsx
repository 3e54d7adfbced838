import { useSignal } from '@preact/signals'
import type { EventGroup } from '../../../client/shapes.js'
import { errorText } from '../../kit/error-text.js'
import { nameText } from '../../kit/name-text.js'
import { countText, rupeesText } from '../../kit/number-texts.js'
import { t } from '../../texts/groups.js'
import { exchange, newOwnKey } from '../exchange-client.js'
import { OrderDialog } from '../orders/order-dialog.jsx'
import { userId } from '../session.js'
import type { Release } from './release.js'

interface ReleaseDialogProps {
  readonly group: EventGroup
  readonly release: Release
  /** Called with what was done; empty if nothing was. */
  readonly onEnd: (words: string) => void
}

/** Says what a release takes and gives, for a quantity of choice, and makes it. */
export function ReleaseDialog({ group, release, onEnd }: ReleaseDialogProps) {
  // What is held may change behind the dialog; what was offered does not.
  const { value: offer } = useSignal(release)
  const quantity = useSignal(offer.quantity)
  const isBusy = useSignal(false)
  const fault = useSignal('')
  /** The name of the conversion, so that a second press after a lost answer makes it once. */
  const name = useSignal(newOwnKey())
  const { outcomes, each } = offer
  const money = rupeesText(each * quantity.value)
  const count = countText(quantity.value)
  const go = async () => {
    isBusy.value = true
    fault.value = ''
    try {
      const about = { userid: userId.peek(), outcomes, quantity: quantity.peek() }
      await exchange.groups.convert(group.code, { ...about, client_order_id: name.peek() })
      onEnd(t.released(money))
    } catch (error) {
      fault.value = errorText(error)
    }
    isBusy.value = false
  }
  return (
    <OrderDialog title={t.release(money)} onClose={() => onEnd('')}>
      <label class="group-quantity">
        <span>{t.quantity(count)}</span>
        <input
          type="range"
          min={0.01}
          max={offer.quantity}
          step={0.01}
          value={quantity.value}
          onInput={event => {
            quantity.value = Number(event.currentTarget.value)
            // Another quantity is another conversion.
            name.value = newOwnKey()
          }}
        />
      </label>
      <Exchange {...{ group, offer, count, money }} />
      <p class="soft">{t.worstCase}</p>
      <p class="fault" role="alert">
        {fault.value}
      </p>
      <div class="picker-foot">
        <button type="button" class="button" onClick={() => onEnd('')}>
          {t.cancel}
        </button>
        <button type="button" class="button button-main" disabled={isBusy.value} onClick={() => void go()}>
          {t.release(money)}
        </button>
      </div>
    </OrderDialog>
  )
}

interface ExchangeProps {
  readonly group: EventGroup
  readonly offer: Release
  /** Contracts of each outcome, and what they bring, as texts. */
  readonly count: string
  readonly money: string
}

/** Lists what is given and what is got for it. */
function Exchange({ group, offer: { outcomes }, count, money }: ExchangeProps) {
  const open = group.outcomes.filter(({ outcome }) => outcome === null)
  const isSet = outcomes.length === 0
  const given = open.filter(({ event_id }) => isSet || outcomes.includes(event_id))
  const got = open.filter(({ event_id }) => !isSet && !outcomes.includes(event_id))
  return (
    <dl class="group-exchange">
      <dt>{t.youGive}</dt>
      <dd>
        {given.map(({ event_id, label }) => (
          <span key={event_id}>{t.of[isSet ? 'yes' : 'no'](count, nameText(label))}</span>
        ))}
      </dd>
      <dt>{t.youGet}</dt>
      <dd>
        <b>{money}</b>
        {got.map(({ event_id, label }) => (
          <span key={event_id}>{t.of.yes(count, nameText(label))}</span>
        ))}
      </dd>
    </dl>
  )
}
