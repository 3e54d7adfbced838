import { Icon } from './icons.jsx'
import { theme, turnTheme } from './theme.js'

/** Turns light into dark, and back. */
export function ThemeButton() {
  const turn = theme.value === 'dark' ? 'light' : 'dark'
  return (
    <button type="button" class="button button-icon" onClick={turnTheme} aria-label={`Use ${turn} colours`}>
      <Icon shape={theme.value === 'dark' ? 'sun' : 'moon'} />
    </button>
  )
}
