import { existsSync } from 'node:fs'
import { nativeMismatch } from '../doctor/native-guard.js'
import { Failure } from '../exit-errors.js'
import { dataFileAt } from '../input/data-file.js'
import { wholeNumber } from '../input/number.js'
import type { Command } from '../make-command.js'
import { command, note } from '../make-command.js'
import { option } from '../options.js'
import { json, written } from '../run-verb.js'
import { settingOption } from '../settings-options.js'

const LIMIT = 10

interface JournalOptions {
  readonly data: string
  readonly from?: number
  readonly limit: number
}

/** `raay journal`: what the journal holds. */
export function journalCommand(): Command {
  return command('journal', 'read the journal', ['raay journal show --limit 1']).addCommand(showCommand())
}

function showCommand(): Command {
  const made = command('show', 'print batches of commands, one a line', [
    'raay journal show --limit 1',
    'raay journal show --from 4021 --limit 5 --data /srv/raay',
  ])
  note(
    made,
    `Each line is a batch as JSON: its number, shard, time and hash, and its commands as the queue's messages.
The file stores them in a shorter form. Reads a running exchange, a stopped one, or a backup.
A batch whose hash is wrong has a "fault" that says so, and the exit code is 1.

Exit codes: 0 done, 1 failed, 2 wrong use.`,
  )
  return made
    .addOption(
      option('--from <n>', 'first batch (default: so that the last one is shown)').argParser(
        wholeNumber('--from', 1, Number.MAX_SAFE_INTEGER),
      ),
    )
    .addOption(
      option('--limit <n>', 'number of batches')
        .argParser(wholeNumber('--limit', 1, 1_000_000))
        .default(LIMIT, String(LIMIT)),
    )
    .addOption(settingOption('data'))
    .action(show)
}

async function show({ data, from, limit }: JournalOptions): Promise<void> {
  const file = dataFileAt(data)
  if (!existsSync(file)) throw new Failure(`there is no exchange in ${data}`)
  const mismatch = nativeMismatch()
  if (mismatch !== undefined) throw new Failure(mismatch)
  // Imported late because it loads the database's native binding.
  const { shownBatches } = await import('../../export/show-journal.js')
  let fault: string | undefined
  try {
    for (const batch of shownBatches(file, { from, limit })) {
      fault ??= batch.fault
      if (!(await written(process.stdout, json(batch)))) break
    }
  } catch (error) {
    throw new Failure(error instanceof Error ? error.message : String(error))
  }
  if (fault !== undefined) throw new Failure(`${fault}: raay verify says more`)
}
