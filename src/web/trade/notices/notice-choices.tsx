import { t } from '../../texts/notices.js'
import type { NoticeSettings } from './notice-settings.js'
import { changeNotices, noticeSettings, notificationState } from './notice-settings.js'

const NAMES = ['fills', 'endings', 'results', 'browser', 'sound'] as const satisfies (keyof NoticeSettings)[]

/** The settings of notices, as checkboxes. */
export function NoticeChoices() {
  const settings = noticeSettings.value
  const state = notificationState()
  return (
    <details class="bell-settings">
      <summary>{t.settings}</summary>
      {NAMES.map(name => (
        <label key={name}>
          <input
            type="checkbox"
            checked={settings[name]}
            disabled={name === 'browser' && state !== 'possible'}
            onChange={event => {
              const box = event.currentTarget
              void changeNotices(name, box.checked).then(() => {
                box.checked = noticeSettings.peek()[name]
              })
            }}
          />
          <span>{t.wants[name]}</span>
        </label>
      ))}
      {state !== 'possible' && <p class="faint">{state === 'refused' ? t.refused : t.absent}</p>}
    </details>
  )
}
