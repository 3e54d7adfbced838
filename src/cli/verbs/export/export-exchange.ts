import { nativeMismatch } from '../../doctor/native-guard.js'
import { Failure } from '../../exit-errors.js'
import { dataFileAt } from '../../input/data-file.js'
import type { Command } from '../../make-command.js'
import { command, note } from '../../make-command.js'
import { jsonOption, option } from '../../options.js'
import { packageVersion } from '../../package-version.js'
import { json } from '../../run-verb.js'
import { settingOption } from '../../settings-options.js'
import { printable } from '../../terminal/printable.js'
import { freePath } from './free-path.js'
import { LongProgress } from './long-progress.js'

interface ExportExchangeOptions {
  readonly data: string
  readonly out: string
  readonly json?: true
}

/** `raay export exchange`: writes everything that an import needs. */
export function exportExchangeCommand(): Command {
  const made = command('exchange', 'the whole exchange, for raay import', [
    'raay export exchange --out exchange.ndjson',
  ])
  note(
    made,
    `Writes the journal: each batch of commands with its hash. Accounts, sessions and keys are not part of it.
If the export is killed, the same command goes on where it stopped.`,
  )
  return made
    .addOption(option('--out <file>', 'file to write').makeOptionMandatory())
    .addOption(settingOption('data'))
    .addOption(jsonOption())
    .action(run)
}

async function run({ data, out, json: isJson }: ExportExchangeOptions): Promise<void> {
  const path = freePath(out)
  const mismatch = nativeMismatch()
  if (mismatch !== undefined) throw new Failure(mismatch)
  const progress = new LongProgress()
  // Imported late because they load the database's native binding.
  const { exportExchange } = await import('../../../export/export-exchange.js')
  const { alone } = await import('../../../export/run-export.js')
  try {
    const told = (done: number, total: number) =>
      progress.update(
        done / total,
        () => `batch ${done.toLocaleString('en')} of ${total.toLocaleString('en')}`,
      )
    const { sequence, resumedAt } = alone(path, () =>
      exportExchange(dataFileAt(data), path, packageVersion(), told),
    )
    progress.end()
    const resumed = resumedAt === 0 ? '' : `, ${resumedAt.toLocaleString('en')} of them written before`
    const text = `${sequence.toLocaleString('en')} batches${resumed} → ${printable(path)}\n`
    process.stdout.write(isJson ? json({ file: path, sequence, resumedAt }) : text)
  } catch (error) {
    throw new Failure(error instanceof Error ? error.message : String(error))
  } finally {
    progress.end()
  }
}
