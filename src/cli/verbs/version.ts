import { UsageError } from '../exit-errors.js'
import type { Command } from '../make-command.js'
import { command, note } from '../make-command.js'
import { fetchNewestVersion, isNewer, REGISTRY } from '../newest-version.js'
import { jsonOption, option } from '../options.js'
import { packageVersion } from '../package-version.js'
import { json, printing } from '../run-verb.js'

interface Options {
  readonly check?: true
  readonly registry?: string
  readonly json?: true
}

/** `raay version`: the versions of Raay and of the Node that runs it, and the newest one if asked for. */
export function versionCommand(): Command {
  const made = command('version', 'print the versions of Raay and Node', [
    'raay version',
    'raay version --json',
    'raay version --check',
  ])
  note(made, 'Without --check nothing is sent anywhere; with it, the registry is asked for the package raay.')
  return made
    .addOption(option('--check', 'ask the npm registry for the newest version'))
    .addOption(
      option('--registry <address>', `the registry for --check (default: ${REGISTRY})`).env('RAAY_REGISTRY'),
    )
    .addOption(jsonOption())
    .action(
      printing((options: Options) => versions(options, made.getOptionValueSource('registry') === 'cli')),
    )
}

/** Returns `raay 0.1.0, node v22.23.0` as a line. */
export function versionText(): string {
  return `raay ${packageVersion()}, node ${process.version}\n`
}

async function versions(options: Options, isRegistryTyped: boolean): Promise<string> {
  const version = packageVersion()
  if (options.check !== true) {
    if (isRegistryTyped) throw new UsageError('--registry is for --check; see raay help version')
    return options.json ? json({ version, node: process.version }) : versionText()
  }
  const newest = await fetchNewestVersion(options.registry ?? REGISTRY, process.env)
  const isUpdate = isNewer(newest, version)
  if (options.json) return json({ version, node: process.version, newest, update: isUpdate })
  return `${versionText()}${adviceOn(newest, isUpdate, version)}\n`
}

function adviceOn(newest: string, isUpdate: boolean, version: string): string {
  if (isUpdate) return `${newest} is available. Read the changelog before you upgrade.`
  return newest === version ? 'This is the newest version.' : `The newest published version is ${newest}.`
}
