import type { Exported, ExportRequest } from '../../../export/export-table.js'
import type { ExportName } from '../../../export/export-tables.js'
import type { FormatName } from '../../../export/formats/format.js'
import { nativeMismatch } from '../../doctor/native-guard.js'
import { Failure, UsageError } from '../../exit-errors.js'
import { dataFileAt } from '../../input/data-file.js'
import type { Command } from '../../make-command.js'
import { command, note } from '../../make-command.js'
import { choice, jsonOption, option } from '../../options.js'
import { json, written } from '../../run-verb.js'
import { settingOption } from '../../settings-options.js'
import { printable } from '../../terminal/printable.js'
import { exportExchangeCommand } from './export-exchange.js'
import { freePath } from './free-path.js'
import { LongProgress } from './long-progress.js'

const STDOUT = '-'
const WORDS: Readonly<Record<ExportName, string>> = {
  events: 'each event, with its terms, state and result',
  orders: 'each order that ever arrived, with its end or its state',
  trades: 'each fill, with both orders and users',
  balances: 'each account: users, escrows, and those of the exchange',
  statement: 'each change of cash of each user',
}
const FORMAT_NAMES: readonly FormatName[] = ['ndjson', 'csv', 'parquet']

interface ExportOptions {
  readonly data: string
  readonly format: FormatName
  readonly out: string
  readonly user?: string
  readonly json?: true
}

/** `raay export`: writes tables, or a whole exchange, to a file. */
export function exportCommand(): Command {
  const made = command('export', 'write what an exchange contains to a file', [
    'raay export trades --format csv --out trades.csv',
    'raay export statement --user asha --format ndjson --out -',
    'raay export orders --format parquet --out orders.parquet --data /srv/raay',
    'raay export exchange --out exchange.ndjson',
  ])
  note(
    made,
    `Reads the files of an exchange, or a backup, as of one batch; an exchange may keep running on them.
An export that was killed goes on where it stopped if it is started again in the same way.

Exit codes: 0 written, 1 failed, 2 wrong use.`,
  )
  for (const [name, words] of Object.entries(WORDS)) made.addCommand(tableCommand(name as ExportName, words))
  return made.addCommand(exportExchangeCommand())
}

function tableCommand(name: ExportName, words: string): Command {
  const made = command(name, words, [`raay export ${name} --format csv --out ${name}.csv`])
  made
    .addOption(choice('--format <name>', 'ndjson, csv or parquet', FORMAT_NAMES).makeOptionMandatory())
    .addOption(option('--out <file>', 'file to write; - is stdout').makeOptionMandatory())
    .addOption(settingOption('data'))
    .addOption(jsonOption())
  if (name === 'statement') made.addOption(option('--user <userid>', 'only the lines of this user'))
  return made.action((options: ExportOptions) => run(name, options))
}

async function run(
  name: ExportName,
  { data, format, out, user, json: isJson }: ExportOptions,
): Promise<void> {
  const path = out === STDOUT ? undefined : freePath(out)
  if (path === undefined && isJson) throw new UsageError('--json needs --out FILE: stdout has the rows')
  const mismatch = nativeMismatch()
  if (mismatch !== undefined) throw new Failure(mismatch)
  const progress = new LongProgress()
  try {
    const told = (rows: number, total: number) =>
      progress.update(total === 0 ? 1 : Math.min(1, rows / total), () => `${rows.toLocaleString('en')} rows`)
    const request = { name, format, userId: user }
    const done = await exported(dataFileAt(data), request, path, told)
    progress.end()
    if (isJson) process.stdout.write(json({ file: path, ...done }))
    else if (path !== undefined) process.stdout.write(summary(name, done, path))
    else if (process.stderr.isTTY) process.stderr.write(summary(name, done, path))
  } finally {
    progress.end()
  }
}

async function exported(
  file: string,
  request: ExportRequest,
  path: string | undefined,
  told: (rows: number, total: number) => void,
): Promise<Exported> {
  // Imported late because they load the database's native binding.
  const { exportTo, exportOnto } = await import('../../../export/run-export.js')
  try {
    return path === undefined
      ? await exportOnto(file, request, toStdout, told)
      : exportTo(file, request, path, told)
  } catch (error) {
    throw new Failure(error instanceof Error ? error.message : String(error))
  }
}

/** Writes rows. Throws once nobody reads them: the export is not complete then. */
async function toStdout(part: Uint8Array): Promise<void> {
  if (part.length > 0 && !(await written(process.stdout, part)))
    throw new Error('stdout was closed before all rows were written')
}

function summary(
  name: ExportName,
  { rows, sequence, resumedAt }: Exported,
  path: string | undefined,
): string {
  const resumed = resumedAt === 0 ? '' : `, ${resumedAt.toLocaleString('en')} of them written before`
  const where = path === undefined ? '' : ` → ${printable(path)}`
  const batch = sequence.toLocaleString('en')
  return `${name}: ${rows.toLocaleString('en')} rows${resumed}, as of batch ${batch}${where}\n`
}
