import { chainHead } from '../../store/companions/decision-chain.js'
import type { RowImage } from '../../store/companions/table-rows.js'
import { allRows } from '../../store/companions/table-rows.js'
import type { Database } from '../../store/database.js'
import { openReadOnly } from '../../store/database.js'

/** Text of the rows in one pack; a single row may be longer, and is cut. */
const TEXT_LENGTH_MAX = 400_000

interface Part {
  readonly rows: readonly RowImage[]
  readonly isLast: boolean
}

/** Rows that are taken in parts, each of which fits into a pack. */
class RowParts {
  readonly #rows: Iterator<RowImage>
  /** The row that did not fit into the part before. */
  #next: RowImage | undefined

  constructor(rows: Iterator<RowImage>) {
    this.#rows = rows
  }

  /** Takes the next rows, as many as fit, and at least one if there is any. */
  take(): Part {
    const rows: RowImage[] = []
    let length = 0
    for (;;) {
      if (this.#next === undefined) {
        const { value, done } = this.#rows.next()
        if (done === true) return { rows, isLast: true }
        this.#next = value
      }
      const more = JSON.stringify(this.#next).length
      if (rows.length > 0 && length + more > TEXT_LENGTH_MAX) return { rows, isLast: false }
      rows.push(this.#next)
      length += more
      this.#next = undefined
    }
  }

  end(): void {
    this.#rows.return?.()
  }
}

/** Yields rows in parts; one without rows if there are none. */
export function* partsOf(rows: readonly RowImage[]): Generator<Part> {
  const parts = new RowParts(rows.values())
  for (;;) {
    const part = parts.take()
    yield part
    if (part.isLast) return
  }
}

/** All rows of a companion as of one moment, while it is being sent. */
export class Snapshot {
  readonly #database: Database
  readonly #parts: RowParts
  /** The last decision among them. */
  readonly decision: number
  /** Its first pack. */
  readonly first: number
  /** Bytes of its packs, and of the rows that were sent between them. */
  size = 0
  since = 0

  constructor(path: string, first: number) {
    this.first = first
    this.#database = openReadOnly(path)
    this.#database.exec('BEGIN')
    this.decision = chainHead(this.#database)()?.number ?? 0
    this.#parts = new RowParts(allRows(this.#database))
  }

  take(): Part {
    return this.#parts.take()
  }

  close(): void {
    this.#parts.end()
    this.#database.close()
  }
}
