import type { Imported } from '../../../export/import-exchange.js'
import { nativeMismatch } from '../../doctor/native-guard.js'
import { Failure } from '../../exit-errors.js'
import type { Command } from '../../make-command.js'
import { command, note } from '../../make-command.js'
import { jsonOption } from '../../options.js'
import { json, printing } from '../../run-verb.js'
import { settingOption } from '../../settings-options.js'
import { printable } from '../../terminal/printable.js'
import { LongProgress } from './long-progress.js'

const STAGES = ['copying', 'replaying', 'verifying'] as const

interface ImportOptions {
  readonly data: string
  readonly json?: true
}

/** `raay import`: makes an exchange from an exported one. */
export function importCommand(): Command {
  const made = command('import', 'make an exchange from an exported one, in an empty directory', [
    'raay import exchange.ndjson --data /srv/other',
  ])
  note(
    made,
    `Checks each batch, replays all of them into empty tables, and verifies the result. The directory is an
exchange once everything has succeeded; an import that was killed starts over. The exchange has an id of its
own, and no accounts, sessions or keys: copy access.db, or invite its users again.

Exit codes: 0 imported and in order, 1 failed, 2 wrong use.`,
  )
  return made
    .argument('<file>', 'file that raay export exchange has written')
    .addOption(settingOption('data'))
    .addOption(jsonOption())
    .action(printing(run))
}

async function run(path: string, { data, json: isJson }: ImportOptions): Promise<string> {
  const mismatch = nativeMismatch()
  if (mismatch !== undefined) throw new Failure(mismatch)
  const progress = new LongProgress()
  // Imported late because it loads the database's native binding.
  const { importExchange } = await import('../../../export/import-exchange.js')
  try {
    const imported = await importExchange(path, data, ({ stage, done, total }) => {
      const share = (STAGES.indexOf(stage) + done / total) / STAGES.length
      progress.update(share, () => `${stage} batch ${done.toLocaleString('en')}`)
    })
    progress.end()
    return isJson ? json({ data, ...imported }) : importedText(imported, data)
  } catch (error) {
    throw new Failure(error instanceof Error ? error.message : String(error))
  } finally {
    progress.end()
  }
}

function importedText({ of, id, sequence, stateHash }: Imported, data: string): string {
  return `${sequence.toLocaleString('en')} batches of exchange ${of} imported to ${printable(data)}, verified
It is exchange ${id} now; its books have the state hash ${stateHash}
`
}
