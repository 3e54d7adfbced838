import type { KeepRules } from '../../backup/keep-rules.js'
import { readKeepRules } from '../../backup/keep-rules.js'
import type { SettingType } from './setting-types.js'
import { WrongValue } from './setting-types.js'

/** The rules for which backups are kept. */
export const KEEP_RULES: SettingType<KeepRules> = {
  value: 'rules',
  inFile: 'text',
  read: text => {
    const rules = readKeepRules(text)
    if (rules !== undefined) return rules
    throw new WrongValue(`is ${text}: give rules such as hourly=24,daily=7,weekly=4,monthly=12`)
  },
}
