import type { Act, AuditRefusal } from '../../api/auth/audit-kinds.js'
import type { CompanionWriter } from '../../store/companions/companion.js'
import type { Statement } from '../../store/database.js'

/** One line: an act, or equal refusals of one minute. */
export interface AuditLine {
  readonly id: number
  readonly at: number
  readonly kind: Act | AuditRefusal
  /** The account that it is about, or the name that was tried. */
  readonly name: string
  readonly by: string
  readonly address: string
  readonly detail: string
  readonly times: number
}

export type AuditEntry = Pick<AuditLine, 'name' | 'by' | 'address' | 'detail'>

export interface AuditQuery {
  readonly q?: string | undefined
  readonly kind?: Act | AuditRefusal | undefined
  /** Epoch milliseconds; the end is excluded. */
  readonly from?: number | undefined
  readonly to?: number | undefined
  readonly limit: number
  /** The id after which to go on, downwards. */
  readonly before?: number | undefined
}

interface Pending {
  readonly kind: AuditRefusal
  readonly entry: AuditEntry
  readonly at: number
  id: number | undefined
  times: number
  timesWritten: number
}

const WINDOW_MS = 60_000
/** Distinct refusals held in memory between two writes. */
const PENDING_MAX = 5000
const TEXT_LENGTH_MAX = 200
/** Lines read for one page of a search; the page then ends, and its cursor goes on from there. */
const SCANNED_MAX = 20_000
/** Lines deleted together: those of acts cost a link of the chain each. */
const PRUNED_MAX = 100
/** Lines kept of each class, so that a flood of refusals pushes out no act. */
const LINES_MAX = { acts: 100_000, refusals: 100_000 }

/** The audit log of access. Its lines are bounded, the newest are kept. */
export class AuditLog {
  readonly #database: CompanionWriter
  readonly #now: () => number
  readonly #linesMax: readonly [acts: number, refusals: number]
  readonly #insert: Statement
  readonly #recount: Statement
  readonly #prune: Statement
  readonly #count: Statement<number>
  readonly #page: Statement<AuditLine>
  readonly #counts: [acts: number, refusals: number] = [0, 0]
  readonly #pending = new Map<string, Pending>()
  /** True if the last attempt to write refusals failed: then only `flush` tries again. */
  #isStuck = false

  constructor(database: CompanionWriter, now: () => number, linesMax: typeof LINES_MAX = LINES_MAX) {
    this.#database = database
    this.#now = now
    this.#linesMax = [linesMax.acts, linesMax.refusals]
    this.#insert = database.prepare(
      `INSERT INTO audit (is_refusal, at, kind, name, made_by, address, detail, times)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    this.#recount = database.prepare('UPDATE audit SET times = ? WHERE id = ?')
    this.#prune = database.prepare(
      'DELETE FROM audit WHERE id IN (SELECT id FROM audit WHERE is_refusal = ? ORDER BY id LIMIT ?)',
    )
    this.#page = database.prepare<unknown[], AuditLine>(
      `SELECT id, at, kind, name, made_by AS "by", address, detail, times
       FROM audit WHERE id < ? ORDER BY id DESC LIMIT ${SCANNED_MAX}`,
    )
    this.#count = database
      .prepare<unknown[], number>('SELECT count(*) FROM audit WHERE is_refusal = ?')
      .pluck()
    this.recount()
  }

  /** Counts the lines in the file. */
  recount(): void {
    for (const isRefusal of [0, 1] as const) this.#counts[isRefusal] = this.#count.get(isRefusal) ?? 0
  }

  /** Writes an act. In a transaction, it is kept only if what it records is. */
  write(kind: Act, entry: AuditEntry): void {
    this.#write(0, kind, entry, this.#now(), 1)
  }

  /**
   * Counts a refusal. Equal ones of one minute become one line, written by the next `flush`. Never throws:
   * without room on the disk a refusal is still that refusal, and the lines wait.
   */
  count(kind: AuditRefusal, entry: AuditEntry): void {
    const short = shortened(entry)
    const key = JSON.stringify([kind, short.name, short.by, short.address, short.detail])
    const at = this.#now()
    const pending = this.#pending.get(key)
    if (pending !== undefined && at - pending.at < WINDOW_MS) {
      pending.times++
      return
    }
    if ((pending !== undefined || this.#pending.size >= PENDING_MAX) && !this.#isWritten(true)) {
      if (pending !== undefined) pending.times++
      return
    }
    this.#pending.set(key, { kind, entry: short, at, id: undefined, times: 1, timesWritten: 0 })
  }

  /** Writes the refusals counted since the last flush. */
  flush(): void {
    this.#writeAll(false)
  }

  /** Returns a page of lines, newest first, and where the next one begins. */
  list({ q, kind, from = 0, to = Number.MAX_SAFE_INTEGER, limit, before }: AuditQuery): {
    readonly lines: AuditLine[]
    readonly next: number | undefined
  } {
    this.#isWritten(false)
    const words = q?.toLowerCase()
    const isWanted = (line: AuditLine) =>
      (kind === undefined || line.kind === kind) &&
      line.at >= from &&
      line.at < to &&
      (words === undefined || textOf(line).toLowerCase().includes(words))
    const lines: AuditLine[] = []
    let scanned = 0
    for (const line of this.#page.iterate(before ?? Number.MAX_SAFE_INTEGER)) {
      scanned++
      if (isWanted(line)) lines.push(line)
      if (lines.length === limit || scanned === SCANNED_MAX) return { lines, next: line.id }
    }
    return { lines, next: undefined }
  }

  /** Writes the refusals; returns false if that fails, which the next `flush` reports. */
  #isWritten(isEnd: boolean): boolean {
    if (this.#isStuck) return false
    try {
      this.#writeAll(isEnd)
      return true
    } catch {
      return false
    }
  }

  #writeAll(isEnd: boolean): void {
    if (this.#pending.size === 0) return
    const changed = [...this.#pending.values()].filter(({ times, timesWritten }) => times > timesWritten)
    this.#isStuck = true
    const ids = this.#database.transaction(() => changed.map(pending => this.#writePending(pending)))()

    // After this point the lines are on disk.
    this.#isStuck = false
    for (const [index, pending] of changed.entries()) {
      pending.id = ids[index]
      pending.timesWritten = pending.times
    }
    const now = this.#now()
    for (const [key, { at }] of this.#pending) {
      if (isEnd || now - at >= WINDOW_MS) this.#pending.delete(key)
    }
  }

  #writePending({ id, kind, entry, at, times }: Pending): number {
    if (id === undefined) return this.#write(1, kind, entry, at, times)
    this.#recount.run(times, id)
    return id
  }

  #write(isRefusal: 0 | 1, kind: string, entry: AuditEntry, at: number, times: number): number {
    const { name, by, address, detail } = shortened(entry)
    const { lastInsertRowid } = this.#insert.run(isRefusal, at, kind, name, by, address, detail, times)
    this.#counts[isRefusal]++
    this.#pruneOldest(isRefusal)
    return Number(lastInsertRowid)
  }

  /** Deletes the oldest lines of a class above its limit: some together, but few, for each is chained. */
  #pruneOldest(isRefusal: 0 | 1): void {
    const linesMax = this.#linesMax[isRefusal]
    const step = Math.min(PRUNED_MAX, linesMax / 10)
    if (this.#counts[isRefusal] - linesMax < step) return
    // Counted once more: lines whose transaction failed were counted, and are not there.
    const count = this.#count.get(isRefusal) ?? 0
    const excess = Math.min(count - linesMax, 2 * step)
    this.#counts[isRefusal] = excess < step ? count : count - this.#prune.run(isRefusal, excess).changes
  }
}

function shortened({ name, by, address, detail }: AuditEntry): AuditEntry {
  const cut = (text: string) => text.slice(0, TEXT_LENGTH_MAX)
  return { name: cut(name), by: cut(by), address: cut(address), detail: cut(detail) }
}

function textOf({ name, by, address, detail, kind }: AuditLine): string {
  return `${name}\n${by}\n${address}\n${detail}\n${kind}`
}
