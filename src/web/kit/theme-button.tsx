import { signal } from '@preact/signals'
import { remember, remembered } from './browser-memory.js'
import { t } from '../texts/kit.js'
import { Icon } from './icons.jsx'

type Theme = 'light' | 'dark'

const system = matchMedia('(prefers-color-scheme: dark)')
const chosen = remembered('theme')

/** The current theme. */
export const theme = signal<Theme>(isTheme(chosen) ? chosen : systemTheme())

system.addEventListener('change', () => {
  if (!isTheme(remembered('theme'))) theme.value = systemTheme()
})

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

/** Switches the theme and stores it, unless it is the system’s: then the page follows the system again. */
function turnTheme(): void {
  const next = theme.value === 'dark' ? 'light' : 'dark'
  const isSystems = next === systemTheme()
  remember('theme', isSystems ? undefined : next)
  if (isSystems) delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = next
  theme.value = next
}

function systemTheme(): Theme {
  return system.matches ? 'dark' : 'light'
}

function isTheme(text: string | undefined): text is Theme {
  return text === 'light' || text === 'dark'
}
