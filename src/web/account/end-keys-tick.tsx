import type { Signal } from '@preact/signals'
import { t } from '../texts/account.js'

/** Asks whether a new password revokes the API keys, too. */
export function EndKeysTick({ isChosen }: { readonly isChosen: Signal<boolean> }) {
  return (
    <label class="tick">
      <input
        type="checkbox"
        checked={isChosen.value}
        onChange={event => {
          isChosen.value = event.currentTarget.checked
        }}
      />
      <span>{t.endKeys}</span>
    </label>
  )
}
