import { t } from '../../../texts/ticket.js'
import { OrderDialog } from '../../orders/order-dialog.jsx'
import { changeSetting, settings } from '../../settings/page-settings.js'
import type { ShortcutName } from './shortcuts.js'
import { FIELD_KEYS, SHORTCUT_KEYS } from './shortcuts.js'
import { isHelpOpen } from './ticket-keys.js'

/** The keys that work the ticket, and a box that turns them off. */
export function ShortcutList() {
  const close = () => {
    isHelpOpen.value = false
  }
  const turn = (event: { readonly currentTarget: { readonly checked: boolean } }) => {
    changeSetting('ticket_keys', event.currentTarget.checked)
  }
  const keys = Object.entries(SHORTCUT_KEYS) as readonly (readonly [ShortcutName, string])[]
  return (
    <OrderDialog title={t.shortcuts} onClose={close}>
      <dl class="shortcut-list">
        {keys.map(([name, key]) => (
          <div key={name}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{t.shortcut[name]}</dd>
          </div>
        ))}
        <div>
          <dt>
            <kbd>0</kbd>–<kbd>9</kbd>
          </dt>
          <dd>{t.shortcutDigits}</dd>
        </div>
        <div>
          <dt>
            <kbd>{FIELD_KEYS.arrows[0]}</kbd> <kbd>{FIELD_KEYS.arrows[1]}</kbd>
          </dt>
          <dd>{t.shortcutArrows}</dd>
        </div>
        <div>
          <dt>
            <kbd>{FIELD_KEYS.escape}</kbd>
          </dt>
          <dd>{t.shortcutEscape}</dd>
        </div>
      </dl>
      <label class="shortcut-switch">
        <input type="checkbox" checked={settings.value.ticket_keys} onChange={turn} />
        <span>{t.shortcutsOn}</span>
      </label>
      <div class="picker-foot">
        <button type="button" class="button button-main" onClick={close} autofocus>
          {t.done}
        </button>
      </div>
    </OrderDialog>
  )
}
