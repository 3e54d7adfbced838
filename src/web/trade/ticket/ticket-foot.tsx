import { UNITS_PER_RUPEE } from '../../../core/units.js'
import { rupeesText } from '../../kit/number-texts.js'
import { t } from '../../texts/ticket.js'
import { TOLERANCES } from '../settings/known-settings.js'
import { changeSetting, settings } from '../settings/page-settings.js'
import { isHelpOpen } from './keys/ticket-keys.js'
import { LARGE_UNITS } from './ticket-sending.js'

/** Which orders are asked about, how far the price may move before one arrives, and the way to the keys. */
export function TicketFoot() {
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
        <select
          value={settings.value.ticket_confirm}
          onChange={event => {
            const chosen = options.find(([value]) => value === event.currentTarget.value)
            if (chosen !== undefined) changeSetting('ticket_confirm', chosen[0])
          }}
        >
          {options.map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </label>
      <label>
        {t.tolerance}{' '}
        <select
          value={settings.value.ticket_tolerance}
          onChange={event => {
            const chosen = TOLERANCES.find(percent => String(percent) === event.currentTarget.value)
            if (chosen !== undefined) changeSetting('ticket_tolerance', chosen)
          }}
        >
          {TOLERANCES.map(percent => (
            <option key={percent} value={percent}>
              {percent === 0 ? t.noTolerance : t.percent(percent)}
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
