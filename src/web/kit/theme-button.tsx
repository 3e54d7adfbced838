import { Icon } from './icons.jsx'
import { theme, turnTheme } from './theme.js'

/** Switches between the light and the dark theme. */
export function ThemeButton() {
  const turn = theme.value === 'dark' ? 'light' : 'dark'
  return (
    <button
      type="button"
      class="button button-icon"
      onClick={turnTheme}
      aria-label={`Switch to ${turn} theme`}
    >
      <Icon shape={theme.value === 'dark' ? 'sun' : 'moon'} />
    </button>
  )
}
