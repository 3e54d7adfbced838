import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { UpgradePlan } from '../../../server/upgrade/upgrade-plan.js'
import { readPlan } from '../../../server/upgrade/upgrade-plan.js'
import { Failure, UsageError } from '../../exit-errors.js'
import type { Command } from '../../make-command.js'
import { command, note } from '../../make-command.js'
import { jsonOption, option } from '../../options.js'
import { packageVersion } from '../../package-version.js'
import { json, printing } from '../../run-verb.js'
import { settingOption } from '../../settings-options.js'
import { upgradeText } from './upgrade-text.js'

const REFUSED = 1

interface UpgradeOptions {
  readonly data: string
  readonly check?: true
  readonly json?: true
}

/** `raay upgrade --check`: says what a start of this version would do to the data. */
export function upgradeCommand(): Command {
  const made = command('upgrade', 'say what a start of this version would do to the data', [
    'raay upgrade --check --data /srv/raay',
    'raay upgrade --check --data /srv/raay --json',
  ])
  note(
    made,
    `Reads the versions of the files without opening them, so that nothing is changed; an exchange may be
running. To upgrade, start this version of Raay: it backs up the data first.

Exit codes: 0 nothing to do, or the next start upgrades the files; 1 a start would refuse; 2 wrong use.`,
  )
  return made
    .addOption(option('--check', 'only say what would happen'))
    .addOption(settingOption('data'))
    .addOption(jsonOption())
    .action(printing(check))
}

async function check(options: UpgradeOptions): Promise<string> {
  if (options.check !== true) {
    throw new UsageError('to upgrade, start the exchange with raay start; --check says what would happen')
  }
  const directory = resolve(options.data)
  if (!existsSync(directory)) throw new Failure(`there is no directory ${directory}`)
  const plan = await readPlan(directory, packageVersion())
  const isRefused = plan.refusal !== undefined || plan.bytesFree < plan.bytesNeeded
  if (isRefused) process.exitCode = REFUSED
  return options.json ? json(answer(plan, isRefused)) : upgradeText(plan)
}

function answer({ isNeeded, refusal, backup, backupMs: _, ...plan }: UpgradePlan, isRefused: boolean) {
  const action = isRefused ? 'refuse' : isNeeded ? 'upgrade' : 'nothing'
  return { action, reason: refusal ?? null, ...plan, backup: backup?.file ?? null }
}
