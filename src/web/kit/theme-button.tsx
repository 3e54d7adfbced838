import { t } from '../texts/kit.js'
import { Icon } from './icons.jsx'
import { theme, turnTheme } from './theme.js'

/** Switches between the light and the dark theme. */
export function ThemeButton() {
  return (
    <button
      type="button"
      class="button button-icon"
      onClick={turnTheme}
      aria-label={theme.value === 'dark' ? t.switchToLight : t.switchToDark}
    >
      <Icon shape={theme.value === 'dark' ? 'sun' : 'moon'} />
    </button>
  )
}
