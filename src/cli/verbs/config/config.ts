import { configSources, openConfig } from '../../../server/config/open-config.js'
import { SETTING_NAMES } from '../../../server/config/settings.js'
import type { Command } from '../../make-command.js'
import { command, note } from '../../make-command.js'
import { jsonOption, option } from '../../options.js'
import { json, printing } from '../../run-verb.js'
import { addSettings, settingsGiven } from '../../settings-options.js'
import { paint } from '../../terminal/paint.js'
import { printable } from '../../terminal/printable.js'
import { table } from '../../terminal/table.js'
import type { ConfigFindings } from './config-findings.js'
import { findingsIn } from './config-findings.js'
import { shownSettings, sourceOf } from './config-view.js'

const NOT_VALID = 1

/** `raay config <action>`: the settings of an exchange, and whether they are valid. */
export function configCommand(): Command {
  const made = command('config', 'show and check the settings of an exchange', [
    'raay config show --data /srv/raay --origin',
    'raay config check --data /srv/raay',
  ])
  note(made, 'Exit codes: 0 shown, or valid, 1 not valid, 2 wrong use.')
  return made.addCommand(showCommand()).addCommand(checkCommand())
}

function showCommand(): Command {
  const made = command('show', 'show every setting, its value and where it was given', [
    'raay config show',
    'raay config show --data /srv/raay --origin',
    'raay config show --json',
  ])
  note(made, 'Takes the options, variables and file of raay start. A secret is shown as set or not set.')
  return addSettings(made)
    .addOption(option('--origin', 'show where each was given: option, variable, file or default'))
    .addOption(jsonOption())
    .action(
      printing(async (options: { readonly json?: true; readonly origin?: true }) => {
        const { values, file } = await openConfig(configSources(settingsGiven(made), process.env))
        const settings = shownSettings(values)
        if (options.json) return json({ file: file ?? null, settings })
        const rows = SETTING_NAMES.map(name => {
          const source = options.origin ? [sourceOf(name, settings[name], file)] : []
          return [name, settings[name].value, ...source].map(printable)
        })
        return table(rows)
      }),
    )
}

function checkCommand(): Command {
  const made = command('check', 'check the settings, each and together, without starting anything', [
    'raay config check --data /srv/raay',
    'raay config check --config /etc/raay.json --json',
  ])
  note(
    made,
    `Takes the options, variables and file of raay start. Finds all faults at once, and settings in vain.
raay doctor checks the machine.

Exit codes: 0 valid, perhaps with warnings, 1 not valid, 2 wrong use.`,
  )
  return addSettings(made)
    .addOption(jsonOption())
    .action(
      printing(async (options: { readonly json?: true }) => {
        const findings = await findingsIn(configSources(settingsGiven(made), process.env))
        const isValid = findings.problems.length === 0
        if (!isValid) process.exitCode = NOT_VALID
        const { file = null, problems, warnings } = findings
        return options.json ? json({ ok: isValid, file, problems, warnings }) : textOf(findings)
      }),
    )
}

function textOf({ file, problems, warnings }: ConfigFindings): string {
  const lines = [
    ...problems.map(problem => `  ${paint('red', 'FAIL')}  ${printable(problem)}\n`),
    ...warnings.map(warning => `  ${paint('yellow', 'warn')}  ${printable(warning)}\n`),
  ]
  if (problems.length > 0)
    return `${lines.join('')}\n${paint('red', `Not valid: ${problems.length} to fix`)}\n`
  const read = file === undefined ? 'no file of settings' : `with ${printable(file)}`
  return `${lines.join('')}${paint('green', 'The settings are valid')}, ${read}\n`
}
