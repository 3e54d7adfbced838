import type { PastProgress } from '../../../backup/past/build-exchange.js'
import type { PointOrEnd } from '../../../backup/past/history-point.js'
import type { PastRequest, RestoredPast } from '../../../backup/past/restore-past.js'
import type { TimeMs } from '../../../core/units.js'
import { readPlace } from '../../../server/config/backup-config.js'
import { UsageError } from '../../exit-errors.js'
import { moment } from '../../input/moment-option.js'
import { wholeNumber } from '../../input/number.js'
import type { Command } from '../../make-command.js'
import { option } from '../../options.js'
import { json } from '../../run-verb.js'
import { printable } from '../../terminal/printable.js'
import { ProgressLine } from '../../terminal/progress-line.js'
import type { OpenStore } from './with-store.js'

/** The options that ask for the past of an exchange. */
export interface PointOptions {
  /** A moment in UTC. */
  readonly to?: string
  readonly toSequence?: number
  /** A data directory, or a replica, whose history is taken. */
  readonly from?: string
  /** Ends the replica. */
  readonly takeOver?: true
  readonly overwrite?: true
  readonly json?: true
}

/** Adds the options that ask for the past of an exchange. */
export function addPoint(made: Command): Command {
  return made
    .addOption(
      option('--to <moment>', 'as it was then, such as 2026-11-21T18:00:00Z or -2h').argParser(
        moment('--to'),
      ),
    )
    .addOption(
      option('--to-sequence <n>', 'as it was after this batch').argParser(
        wholeNumber('--to-sequence', 1, Number.MAX_SAFE_INTEGER),
      ),
    )
    .addOption(
      option('--from <place>', 'take the history of a data directory, or of a replica, instead of a backup'),
    )
    .addOption(option('--take-over', 'end the replica, so that the exchange that wrote it stops'))
}

/** Returns the point that the options ask for; undefined for a backup as a whole. Throws UsageError. */
export function pointOf({ to, toSequence, from, takeOver }: PointOptions): PointOrEnd | undefined {
  if (takeOver && from === undefined) throw new UsageError('--take-over needs --from <replica>')
  if (takeOver && (to ?? toSequence) !== undefined) {
    throw new UsageError('--take-over goes on from the last batch: leave --to and --to-sequence away')
  }
  if (to !== undefined && toSequence !== undefined)
    throw new UsageError('give --to or --to-sequence, not both')
  if (to !== undefined) return { moment: Date.parse(to) as TimeMs }
  if (toSequence !== undefined) return { sequence: toSequence }
  return from === undefined ? undefined : 'end'
}

/**
 * Restores the past of an exchange, from the backup that is named, the earliest one that contains the point,
 * a data directory, or a replica. Returns what to print.
 */
export async function restorePoint(
  name: string | undefined,
  point: PointOrEnd,
  options: PointOptions,
  open: OpenStore,
): Promise<string> {
  const { directory } = open
  if (name !== undefined && options.from !== undefined) {
    throw new UsageError('give the name of a backup or --from, not both')
  }
  const { restorePast } = await import('../../../backup/past/restore-past.js')
  const source = await sourceOf(name, point, options, open)
  const progress = options.json ? undefined : new PastLine()
  try {
    const restored = await restorePast(
      { ...source, directory, overwrite: options.overwrite === true, now: Date.now },
      done => progress?.update(done),
    )
    progress?.end()
    return options.json ? json(view(source.name, restored)) : text(source.name, restored, directory)
  } finally {
    progress?.end()
  }
}

/** The history to restore. The point is known before, or once the source has been fetched. */
type Source = Pick<PastRequest, 'source' | 'point' | 'coveredUntil'> & { readonly name: string }

async function sourceOf(
  name: string | undefined,
  point: PointOrEnd,
  { from, takeOver }: PointOptions,
  { store, values, identities }: OpenStore,
): Promise<Source> {
  if (from !== undefined) {
    const { openReplicaAt } = await import('../../../replication/objects/fetch-replica.js')
    const settings = readPlace(values, from, '--from')
    const replica = await openReplicaAt(settings, { identities, now: Date.now })
    if (replica !== undefined) {
      const takesOver = takeOver === true
      return { name: from, point, source: async folder => replica.fetch({ folder, identities, takesOver }) }
    }
    if (takeOver) throw new UsageError(`${from} is no replica, so nothing can be taken over`)
    if (point === 'end')
      throw new UsageError('--from needs a point for a data directory: give --to or --to-sequence')
    return { name: from, point, source: () => from }
  }
  if (point === 'end') throw new UsageError('give --to or --to-sequence')
  const { listBackups } = await import('../../../backup/backup-list.js')
  const { findBackup } = await import('../../../backup/find-backup.js')
  const { chooseBackup } = await import('../../../backup/past/choose-backup.js')
  const { fetchBackup, pathInPlace } = await import('../../../backup/fetch-backup.js')
  const backups = await listBackups(store)
  const backup =
    name === undefined ? chooseBackup(backups, point, store.place) : findBackup(backups, name, store.place)
  return {
    name: backup.name,
    point,
    coveredUntil: backup.at,
    source: (folder: string) => pathInPlace(store, backup) ?? fetchBackup(store, backup, folder),
  }
}

const WORDS: Readonly<Record<PastProgress['stage'], string>> = {
  copying: 'Copying the journal',
  replaying: 'Replaying it',
  verifying: 'Verifying the result',
}

/** Shows the progress of each pass, with the time left. */
class PastLine {
  readonly #line = new ProgressLine(process.stdout, process.stdout.isTTY === true)
  #stage: PastProgress['stage'] | undefined
  #start = 0

  update({ stage, done, total }: PastProgress): void {
    if (stage !== this.#stage) {
      this.#line.end()
      this.#stage = stage
      this.#start = performance.now()
    }
    const share = Math.min(1, done / total)
    this.#line.update(share, () => {
      const seconds = ((performance.now() - this.#start) / 1000 / share) * (1 - share)
      const left = share < 1 ? `, ${seconds.toFixed(0)} s left` : ''
      return `${WORDS[stage]}: batch ${done.toLocaleString('en')} of ${total.toLocaleString('en')}${left}`
    })
  }

  end(): void {
    this.#line.end()
  }
}

function view(name: string, { sequence, at, end, of, id, companions, aside, report }: RestoredPast) {
  return {
    source: name,
    sequence,
    at: new Date(at).toISOString(),
    source_sequence: end.sequence,
    source_at: new Date(end.at).toISOString(),
    source_exchange: hex(of),
    exchange: hex(id),
    accounts: companions.includes('accounts'),
    site: companions.includes('site'),
    state_hash: report.stateHash ?? null,
    aside: aside ?? null,
  }
}

function text(name: string, restored: RestoredPast, directory: string): string {
  const { sequence, at, end, of, id, companions, aside } = restored
  const moment = new Date(at).toISOString()
  const left = end.sequence - sequence
  const cut = left === 0 ? 'the last one there' : `${left.toLocaleString('en')} later ones were left out`
  const accounts = companions.includes('accounts')
    ? 'Accounts, sessions and keys are those of the source, not of that moment.'
    : 'The source has no accounts.'
  const old = aside === undefined ? '' : `The files of the replaced exchange are in ${printable(aside)}.\n`
  return (
    `Restored and verified ${printable(name)} as of batch ${sequence}, ${moment}; ${cut}.\n` +
    `Its id is ${hex(id)}, no longer ${hex(of)}: restart programs that follow private channels.\n` +
    `${accounts}\n${old}Start it with raay start --data ${printable(directory)}\n`
  )
}

const hex = (id: number) => id.toString(16).padStart(8, '0')
