import type { Command } from '../make-command.js'
import { command } from '../make-command.js'
import { jsonOption } from '../options.js'
import { packageVersion } from '../package-version.js'
import { json, printing } from '../run-verb.js'

/** `raay version`: the versions of Raay and of the Node that runs it. */
export function versionCommand(): Command {
  return command('version', 'print the versions of Raay and Node', ['raay version', 'raay version --json'])
    .addOption(jsonOption())
    .action(
      printing(async (options: { readonly json?: true }) =>
        options.json ? json({ version: packageVersion(), node: process.version }) : versionText(),
      ),
    )
}

/** Returns `raay 0.1.0, node v22.23.0` as a line. */
export function versionText(): string {
  return `raay ${packageVersion()}, node ${process.version}\n`
}
