import type { Sequence } from '../core/units.js'
import type { Database, Statement } from '../store/database.js'
import { openReadOnly } from '../store/database.js'
import type { JournalEnd, JournalRow } from '../store/journal.js'
import { BEGINNING } from '../store/journal.js'
import type { LogEnd } from './journal-log.js'

/** The whole journal of a running exchange, archive included, read by a connection of its own. */
export class JournalReader {
  readonly #database: Database
  readonly #select: Statement<JournalRow>
  readonly #selectEnd: Statement<JournalEnd>
  readonly #selectAt: Statement<Pick<JournalRow, 'at'>>
  readonly #selectHash: Statement<Pick<JournalRow, 'hash'>>

  /** @param file of the tables */
  constructor(file: string) {
    this.#database = openReadOnly(file)
    this.#select = this.#database.prepare(
      'SELECT sequence, shard, at, commands, hash FROM whole_journal WHERE sequence > ? ORDER BY sequence',
    )
    this.#selectEnd = this.#database.prepare(
      'SELECT sequence, at, hash FROM whole_journal ORDER BY sequence DESC LIMIT 1',
    )
    this.#selectAt = this.#database.prepare('SELECT at FROM whole_journal WHERE sequence = ?')
    this.#selectHash = this.#database.prepare('SELECT hash FROM whole_journal WHERE sequence = ?')
  }

  get end(): JournalEnd {
    return this.#selectEnd.get() ?? BEGINNING
  }

  hashOf(sequence: Sequence): Buffer | undefined {
    return sequence === 0 ? BEGINNING.hash : this.#selectHash.get(sequence)?.hash
  }

  /** Returns the first lines behind one, up to a length of text, and at least one if there is any. */
  linesAfter({ sequence }: LogEnd, lengthMax: number): JournalRow[] {
    const lines: JournalRow[] = []
    let length = 0
    for (const line of this.#select.iterate(sequence)) {
      length += line.commands.length
      lines.push(line)
      if (length >= lengthMax) break
    }
    return lines
  }

  /** Returns the last line from before a moment; 0 if there is none. Times never go back. */
  lastBefore(at: number): Sequence {
    let [before, since] = [0, this.end.sequence + 1]
    while (before + 1 < since) {
      const middle = Math.floor((before + since) / 2)
      // Lines that are in no file any more are older than those that are.
      if ((this.#selectAt.get(middle as Sequence)?.at ?? 0) < at) before = middle
      else since = middle
    }
    return before as Sequence
  }

  close(): void {
    this.#database.close()
  }
}
