import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { TimeMs } from '../../core/units.js'
import type { ArchivingStage } from '../../exchange/recovery/archive-old.js'
import type { Moved } from '../../store/archive/move-to-archive.js'
import { nativeMismatch } from '../doctor/native-guard.js'
import { Failure } from '../exit-errors.js'
import { momentOf } from '../input/moment-option.js'
import type { Command } from '../make-command.js'
import { command, note } from '../make-command.js'
import { jsonOption, option } from '../options.js'
import { json, printing } from '../run-verb.js'
import { settingOption } from '../settings-options.js'

interface ArchiveOptions {
  readonly olderThan: string
  readonly dryRun?: true
  readonly data: string
  readonly json?: true
}

const STAGES: Readonly<Record<ArchivingStage, string>> = {
  prepare: 'checking the files, as a start does',
  copy: 'copying to a new archive',
  remove: 'comparing, and removing what was copied',
  compact: 'compacting the files',
}

/** `raay archive`: moves old settled events out of the files of a stopped exchange. */
export function archiveCommand(): Command {
  const made = command('archive', 'move old settled events of a stopped exchange to its archive', [
    'raay archive --older-than 90d --dry-run',
    'raay archive --older-than 90d --data /srv/raay',
  ])
  note(
    made,
    `Moves orders and trades of events that ended before then, and the journal, statement lines and messages
of everything before then, from raay.db and journal.db to one file archive-….db beside them. Every list,
page and cursor answers as before, and raay verify still covers all of it; starts and backups read what is
left. Needs free space for a copy of what moves, and of the old archive. Stop the exchange first; killed at
any point, it leaves files with the same content. Make a backup afterwards.

Exit codes: 0 done or nothing to do, 1 failed, 2 wrong use.`,
  )
  return made
    .addOption(option('--older-than <span>', 'age of what moves, such as 90d, or a date', '90d'))
    .addOption(option('--dry-run', 'only count what would move'))
    .addOption(settingOption('data'))
    .addOption(jsonOption())
    .action(printing(archive))
}

async function archive({ olderThan, dryRun, data, json: asJson }: ArchiveOptions): Promise<string> {
  const isSpan = /^\d/.test(olderThan) && !olderThan.includes('-')
  const before = momentOf('--older-than', isSpan ? `-${olderThan}` : olderThan, Date.now())
  const directory = resolve(data)
  if (!existsSync(join(directory, 'raay.db'))) throw new Failure(`there is no exchange in ${directory}`)
  const mismatch = nativeMismatch()
  if (mismatch !== undefined) throw new Failure(mismatch)
  // Imported late because it loads the database's native binding.
  const { archiveOld } = await import('../../exchange/recovery/archive-old.js')
  const isDryRun = dryRun === true
  const told = (stage: ArchivingStage) => {
    if (asJson !== true) process.stderr.write(`raay: ${STAGES[stage]}\n`)
  }
  try {
    const moved = archiveOld(directory, { limit: Date.parse(before) as TimeMs, isDryRun, told })
    if (asJson === true) return json(answerOf(before, isDryRun, moved))
    return moved === undefined ? `nothing is from before ${before}\n` : movedText(before, isDryRun, moved)
  } catch (error) {
    throw new Failure(error instanceof Error ? error.message : String(error))
  }
}

function answerOf(before: string, isDryRun: boolean, moved: Moved | undefined) {
  const counts = moved && { sequence: moved.cut.sequence, events: moved.markets, ...moved.counts }
  return { before, dry_run: isDryRun, moved: counts ?? null }
}

function movedText(before: string, isDryRun: boolean, { cut, markets, counts }: Moved): string {
  const parts = [
    [markets, 'ended events'],
    [counts.orders, 'orders'],
    [counts.trades, 'trades'],
    [counts.entries, 'statement lines'],
    [counts.updates, 'messages to users'],
    [counts.journal, 'batches'],
  ].map(([count, what]) => `  ${Number(count).toLocaleString('en-IN').padStart(14)} ${what}\n`)
  const head = isDryRun ? 'would move' : 'moved'
  return `${head} what is from before ${before}, up to batch ${cut.sequence}:\n${parts.join('')}`
}
