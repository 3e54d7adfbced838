import type { GivenSetting, Origin, SettingValues } from '../../../server/config/setting-values.js'
import type { Setting } from '../../../server/config/settings.js'
import { rowOf, SETTING_NAMES } from '../../../server/config/settings.js'

/** A setting as it is shown; a secret is only `set` or `not set`. */
export interface ShownSetting {
  readonly value: string
  readonly origin: Origin
}

/** Returns all settings as they are shown. */
export function shownSettings(values: SettingValues): Readonly<Record<Setting, ShownSetting>> {
  const shown = SETTING_NAMES.map(name => {
    const given = values.of(name)
    return [name, { value: shownValue(name, given), origin: given.origin }]
  })
  return Object.fromEntries(shown) as Record<Setting, ShownSetting>
}

/** Returns where a setting was given: `variable RAAY_PORT`, `file data/config.json`. */
export function sourceOf(name: Setting, { origin }: ShownSetting, file: string | undefined): string {
  if (origin === 'option') return `option --${name}`
  if (origin === 'variable') return `variable ${rowOf(name).variable}`
  return origin === 'file' ? `file ${file}` : origin
}

function shownValue(name: Setting, { text, origin }: GivenSetting): string {
  const { isSecret, fallbackShown } = rowOf(name)
  if (isSecret) return text === '' ? 'not set' : 'set'
  if (text !== '') return withoutPassword(text)
  return origin === 'default' ? (fallbackShown ?? 'not set') : 'not set'
}

/** Hides the user and password that an address may contain. */
function withoutPassword(text: string): string {
  return text.replaceAll(/(?<=:\/\/)[^/@\s]+@/g, '…@')
}
