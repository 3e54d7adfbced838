import { useSignal } from '@preact/signals'
import { UNITS_PER_RUPEE } from '../../../core/units.js'
import { rupeesText } from '../../kit/number-texts.js'
import { t } from '../../texts/ticket.js'
import { habit, keepHabit } from './ticket-habits.js'
import { isHelpOpen } from './keys/ticket-keys.js'
import { LARGE_UNITS } from './ticket-sending.js'

/** Which orders are asked about before they are sent, and the way to the keys. */
export function TicketFoot() {
  const confirm = useSignal(habit('confirm'))
  const choose = (event: { readonly currentTarget: { readonly value: string } }) => {
    keepHabit('confirm', event.currentTarget.value)
    confirm.value = habit('confirm')
  }
  const large = t.confirmLarge(rupeesText(LARGE_UNITS / UNITS_PER_RUPEE).replace(/\.00$/, ''))
  const options = [
    ['always', t.confirmAlways],
    ['large', large],
    ['never', t.confirmNever],
  ] as const
  return (
    <div class="ticket-foot">
      <label>
        {t.confirm}{' '}
        <select value={confirm.value} onChange={choose}>
          {options.map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </label>
      <button
        type="button"
        class="ticket-keys"
        aria-keyshortcuts="?"
        title={t.shortcuts}
        onClick={() => {
          isHelpOpen.value = true
        }}
      >
        {t.keys} <kbd>?</kbd>
      </button>
    </div>
  )
}
