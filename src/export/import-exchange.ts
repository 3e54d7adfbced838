import { closeSync, openSync, readSync } from 'node:fs'
import { StringDecoder } from 'node:string_decoder'
import type { PastProgress } from '../backup/past/build-exchange.js'
import type { Sequence } from '../core/units.js'
import { idText } from '../store/files/id-file.js'
import type { JournalRow } from '../store/journal.js'
import { footerFault, readBatch, readHeader } from './exchange-reading.js'
import { ExportError } from './export-error.js'
import { makeExchange } from './new-exchange.js'

/** An exchange that was imported. */
export interface Imported {
  /** The id of the exchange that was exported, and its own. */
  readonly of: string
  readonly id: string
  readonly sequence: number
  readonly stateHash: string | undefined
}

const CHUNK_BYTES = 1_000_000
/** Far more than a batch of 512 commands. */
const LINE_LENGTH_MAX = 100_000_000

/**
 * Makes an exchange from an exported one in an empty directory: checks each batch as it comes, replays them
 * into empty tables, and verifies the result. The directory is an exchange only once all has succeeded;
 * after a kill, the same import starts over. Throws with a message for the operator.
 */
export async function importExchange(
  path: string,
  directory: string,
  told: (progress: PastProgress) => void,
): Promise<Imported> {
  const lines = linesOf(path)
  try {
    const first = lines.next().value
    const header = naming(path, () => readHeader(first ?? ''))
    const rows = batchesIn(path, lines, first ?? '', header.sequence)
    const history = { name: path, rows, upTo: header.sequence as Sequence }
    const { id, report } = await makeExchange(directory, history, told)
    const { sequence, stateHash } = report
    return { of: header.exchange, id: idText(id), sequence, stateHash }
  } finally {
    lines.return(undefined)
  }
}

/** Yields the batches up to the last line. Throws ExportError if one is missing, or the last line is. */
function* batchesIn(
  path: string,
  lines: Iterator<string>,
  header: string,
  sequence: number,
): Generator<JournalRow> {
  let last: JournalRow | undefined
  for (;;) {
    const { value: line, done } = lines.next()
    const batch = done === true ? undefined : readBatch(line)
    if (batch !== undefined) {
      yield batch
      last = batch
      continue
    }
    const where = `behind batch ${last?.sequence ?? 0} of ${sequence}`
    if (done === true) throw new ExportError(`${path} is cut off ${where}: export it again, or copy it again`)
    const fault = footerFault(line, header, last)
    if (fault !== undefined) throw new ExportError(`${path} was changed ${where}: ${fault}`)
    if (lines.next().done !== true) throw new ExportError(`${path} goes on behind its last line`)
    return
  }
}

/** Yields the lines of a file, without their ends; not what is left of one that was cut off. */
function* linesOf(path: string): Generator<string, undefined> {
  const descriptor = naming(path, () => openSync(path, 'r'))
  try {
    const decoder = new StringDecoder('utf8')
    const chunk = Buffer.alloc(CHUNK_BYTES)
    let rest = ''
    for (;;) {
      const length = naming(path, () => readSync(descriptor, chunk, 0, CHUNK_BYTES, null))
      if (length === 0) return
      const pieces = (rest + decoder.write(chunk.subarray(0, length))).split('\n')
      rest = pieces.pop() ?? ''
      yield* pieces
      if (rest.length > LINE_LENGTH_MAX) throw new ExportError(`${path} has a line that is too long`)
    }
  } finally {
    closeSync(descriptor)
  }
}

/** Works on a file; names it in errors. */
function naming<T>(path: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw new ExportError(`${path} cannot be imported: ${error instanceof Error ? error.message : error}`)
  }
}
