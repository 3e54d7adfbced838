import { ACCESS_SETTINGS } from './access-settings.js'
import { BACKUP_SETTINGS } from './backup-settings.js'
import { EXCHANGE_SETTINGS, HOUSE_SETTINGS } from './exchange-settings.js'
import { FEE_SETTINGS } from './fee-settings.js'
import { REPLICATION_SETTINGS } from './replication-settings.js'
import { SERVING_SETTINGS } from './serving-settings.js'
import type { SettingRow } from './setting-types.js'
import { SITE_SETTINGS } from './site-settings.js'

/** All settings: as option `--name`, as variable, and as key of a file, in this order of precedence. */
export const SETTINGS = {
  ...EXCHANGE_SETTINGS,
  ...FEE_SETTINGS,
  ...HOUSE_SETTINGS,
  ...BACKUP_SETTINGS,
  ...REPLICATION_SETTINGS,
  ...ACCESS_SETTINGS,
  ...SERVING_SETTINGS,
  ...SITE_SETTINGS,
} as const

export type Setting = keyof typeof SETTINGS
export const SETTING_NAMES = Object.keys(SETTINGS) as readonly Setting[]

/** Returns the row of a setting, with all that a row may have. */
export const rowOf = (setting: Setting): SettingRow => SETTINGS[setting]

/** Settings as text; a switch is `yes` or `no`. */
export type SettingTexts = Readonly<Partial<Record<Setting, string>>>

/** The value of a setting; undefined where it has no fixed default and is not set. */
export type ValueOf<Name extends Setting> =
  | ReturnType<(typeof SETTINGS)[Name]['type']['read']>
  | ((typeof SETTINGS)[Name]['fallback'] extends '' ? undefined : never)
