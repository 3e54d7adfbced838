import type { BackupStore } from '../../backup/backup-store.js'
import type { Sequence } from '../../core/units.js'
import { standbyId } from '../standby-id.js'
import { wholeOf } from './journal-object.js'

/** The names of marks begin with it. */
const MARKS = 'standby-'
const NAME = /^standby-[0-9a-f]{16}\.json$/
const LENGTH_MAX = 1000

/** How far a standby is: batches behind that are not deleted while it is alive. */
export interface StandbyMark {
  readonly name: string
  readonly sequence: Sequence
  /** When it was written; undefined for one that cannot be read. */
  readonly at: number | undefined
}

/** Returns the name of a standby's mark, which a restart keeps. */
export function standbyMarkName(data: string): string {
  return `${MARKS}${standbyId(data)}.json`
}

/** Writes a mark in place of the one before it. */
export async function writeStandbyMark(
  store: Pick<BackupStore, 'put'>,
  { name, sequence, at }: StandbyMark & { readonly at: number },
): Promise<void> {
  const text = `${JSON.stringify({ raay: 'standby', sequence, at: Math.round(at) })}\n`
  await store.put(name, once(Buffer.from(text)))
}

/** Reads all marks at a place. One that cannot be read counts as of a standby that needs everything. */
export async function readStandbyMarks(store: Pick<BackupStore, 'list' | 'get'>): Promise<StandbyMark[]> {
  const marks: StandbyMark[] = []
  for (const { name } of await store.list(MARKS)) {
    if (!NAME.test(name)) continue
    const contents = await store.get(name)
    if (contents !== undefined) marks.push({ name, ...parsed((await wholeOf(contents)).toString()) })
  }
  return marks
}

function parsed(text: string): Omit<StandbyMark, 'name'> {
  const needsAll = { sequence: 0 as Sequence, at: undefined }
  try {
    const { sequence, at } = JSON.parse(text.slice(0, LENGTH_MAX)) as Readonly<Record<string, unknown>>
    const isWhole = Number.isSafeInteger(sequence) && Number.isSafeInteger(at)
    return isWhole ? { sequence: sequence as Sequence, at: at as number } : needsAll
  } catch {
    return needsAll
  }
}

async function* once(contents: Uint8Array): AsyncGenerator<Uint8Array> {
  yield contents
}
