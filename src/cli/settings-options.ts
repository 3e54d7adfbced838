import type { Setting, SettingTexts } from '../server/config/settings.js'
import { rowOf, SETTING_NAMES, SETTINGS } from '../server/config/settings.js'
import type { Command } from './make-command.js'
import type { Option } from './options.js'
import { option } from './options.js'

const DEMO = /^demo/

/** Makes the option of one setting of an exchange, with its variable and its default in the help. */
export function settingOption(name: Setting): Option {
  const { variable, fallback, help, fallbackShown: shown = fallback, type } = rowOf(name)
  const isSwitch = type.value === undefined
  const made = option(isSwitch ? `--${name}` : `--${name} <${type.value}>`, help)
  if (!isSwitch && shown !== '') made.default(fallback, shown)
  return variable === '' ? made : made.env(variable)
}

/** Adds all settings of an exchange to a command; those of a demo have a heading of their own. */
export function addSettings(made: Command): Command {
  for (const name of SETTING_NAMES) {
    if (rowOf(name).isOptionless) continue
    const added = settingOption(name)
    made.addOption(DEMO.test(name) ? added.helpGroup('Demo options:') : added)
  }
  return made
}

/** Returns the settings given as options. `readConfig` reads variables and defaults itself. */
export function settingsGiven(made: Command): SettingTexts {
  const given = made.options
    .filter(({ long }) => (long ?? '').slice(2) in SETTINGS)
    .filter(known => made.getOptionValueSource(known.attributeName()) === 'cli')
    .map(known => {
      const value: unknown = made.getOptionValue(known.attributeName())
      return [(known.long ?? '').slice(2), value === true || known.negate ? 'yes' : String(value)]
    })
  return Object.fromEntries(given) as SettingTexts
}
