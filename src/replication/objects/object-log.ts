import type { BackupStore } from '../../backup/backup-store.js'
import type { StoreKeys } from '../../backup/stores/encrypted-store.js'
import { assert } from '../../core/assert.js'
import type { Sequence } from '../../core/units.js'
import type { JournalRow } from '../../store/journal.js'
import type { Appended, JournalLog, LogEnd } from '../journal-log.js'
import { FencedError, TrimmedError } from '../replication-error.js'
import { assertKept, lackOf } from './empty-place.js'
import type { ObjectHead } from './journal-object.js'
import {
  fenceObject,
  OBJECTS,
  objectFrom,
  objectName,
  readHead,
  readLines,
  wholeOf,
  writeObject,
} from './journal-object.js'

/** The part of a store that a log of objects needs. */
export type ObjectStore = Pick<BackupStore, 'place' | 'list' | 'get' | 'delete'> &
  Required<Pick<BackupStore, 'putNew' | 'has'>>

/** The object before the next one is gone: others have gone on, or the place is not what it was. */
type Gap = Extract<Appended, { readonly kind: 'fenced' | 'unknown' }>

interface LogOptions {
  readonly store: ObjectStore
  /** The exchange's id. */
  readonly exchange: string
  readonly keys: StoreKeys
  /** Returns the hash of a line of this exchange's journal; undefined if it has none. */
  readonly own: (sequence: Sequence) => Buffer | undefined
  /** The line that the first object follows; 0 by default. */
  readonly behind?: number
}

/**
 * The journal's lines as objects in a store, each named after its first line. A name can be put once, so that
 * of two exchanges that go on from the same line exactly one does: the other finds its next name taken by
 * lines that its journal lacks. An object that holds lines of one's own journal is an earlier attempt, maybe
 * of a process that was killed, and maybe with fewer lines or more.
 *
 * The first objects are deleted once a backup has their lines, and then their names are free. An exchange
 * that slept meanwhile takes such a name, but the object before it is gone, too: the last are always kept.
 */
export class ObjectLog implements JournalLog {
  readonly #options: LogOptions
  /** The last object that was seen, and the line that it ends with; before the first one, the marker. */
  #seen: { readonly name: string; readonly end: Sequence } | undefined

  constructor(options: LogOptions) {
    this.#options = options
  }

  get place(): string {
    return this.#options.store.place
  }

  async append(lines: readonly JournalRow[], expected: LogEnd): Promise<Appended> {
    const [first, ...rest] = lines
    assert(first !== undefined && first.sequence === expected.sequence + 1, 'lines follow the line expected')
    const { store, exchange, keys } = this.#options
    const name = objectName(first.sequence)
    const last = rest.at(-1) ?? first
    try {
      const contents = await writeObject(exchange, expected.hash, [first, ...rest], keys.recipients)
      const isNew = await store.putNew(name, contents)
      const found = isNew ? undefined : await this.head(name)
      // A store may refuse two attempts at the same time, and have neither.
      if (!isNew && found === undefined) return unknown(`${store.place} refused ${name}, and has none`)
      const end = { sequence: last.sequence, hash: last.hash }
      const appended = found === undefined ? ({ kind: 'appended', end } as const) : this.judge(found)
      if (appended.kind === 'appended' || appended.kind === 'mine') {
        const gap = await this.#gapBefore(name, appended.end, expected)
        if (gap !== undefined) {
          await store.delete(name).catch(() => undefined)
          return gap
        }
        this.#seen = { name, end: appended.end.sequence }
      }
      return appended
    } catch (error) {
      return unknown(messageOf(error))
    }
  }

  /**
   * Returns what keeps an object of this exchange from following the one that ends with the line expected:
   * its name may be free because it, and all before it, have been deleted.
   */
  async #gapBefore(name: string, end: LogEnd, expected: LogEnd): Promise<Gap | undefined> {
    if (this.#seen?.end === expected.sequence) return this.#gap(expected)
    const names = await this.names()
    const next = names.find(other => other > name)
    const head = next === undefined ? undefined : await this.head(next)
    const follows = head === undefined || (head.from === end.sequence + 1 && head.before.equals(end.hash))
    return follows ? undefined : this.#goneOn(expected)
  }

  /**
   * Returns what it means if the object that ends with a line, seen before, is gone. Others have gone on only
   * if there are later objects: the last ones are always kept. Else this is not the place that it was.
   */
  async #gap(end: LogEnd): Promise<Gap | undefined> {
    const before = this.#seen
    if (before?.end !== end.sequence || (await this.#options.store.has(before.name))) return undefined
    const next = objectName((end.sequence + 1) as Sequence)
    return (await this.#goesOnBehind(next))
      ? this.#goneOn(end)
      : unknown(lackOf(this.#options.store, before.name).message)
  }

  async #goesOnBehind(name: string): Promise<boolean> {
    return (await this.names()).some(other => other > name)
  }

  #goneOn({ sequence }: LogEnd): Gap {
    const { place } = this.#options.store
    return fenced(`${place} has gone on without this exchange, and no longer has batch ${sequence}`)
  }

  /**
   * Returns whose the object is that follows a line, or that the one which ends with the line is gone;
   * undefined if there is nothing new. Never rejects.
   */
  async behind(end: LogEnd): Promise<Appended | undefined> {
    try {
      const gap = await this.#gap(end)
      const name = objectName((end.sequence + 1) as Sequence)
      const found = (await this.#options.store.has(name)) ? await this.head(name) : undefined
      const judged = found && this.judge(found)
      if (judged?.kind === 'fenced') return judged
      if (gap === undefined && judged?.kind === 'mine') this.#seen = { name, end: judged.end.sequence }
      return gap ?? judged
    } catch (error) {
      return unknown(messageOf(error))
    }
  }

  /** Returns whose an object is. */
  judge({ exchange, end, fence }: ObjectHead): Appended {
    const { store, own } = this.#options
    if (fence !== undefined) {
      return fenced(
        `${store.place} was taken over behind batch ${end.sequence}: another exchange goes on from it`,
      )
    }
    if (exchange !== this.#options.exchange)
      return fenced(`${store.place} has batches of exchange ${exchange}`)
    const hash = own(end.sequence)
    if (hash?.equals(end.hash) === true) return { kind: 'mine', end }
    const why = hash === undefined ? 'which this exchange does not have' : 'and this exchange has another one'
    return fenced(`${store.place} has batch ${end.sequence}, ${why}`)
  }

  /** Returns the head of the last object; undefined if there is none. */
  async last(): Promise<ObjectHead | undefined> {
    const name = (await this.names()).at(-1)
    if (name === undefined) return undefined
    const head = await this.head(name)
    if (head === undefined) throw lackOf(this.#options.store, name)
    this.#seen = { name, end: head.end.sequence }
    return head
  }

  /**
   * Takes note of a log without objects.
   *
   * @param marker the file by which its place is recognised
   * @param end the line that its first object is to follow
   */
  begin(marker: string, { sequence }: LogEnd): void {
    this.#seen = { name: marker, end: sequence }
  }

  /** Returns the first line that objects have; undefined if there are none. */
  async first(): Promise<Sequence | undefined> {
    const [name] = await this.names()
    return name === undefined ? undefined : objectFrom(name)
  }

  /** Returns the hash of a line that an object has; undefined if none does. */
  async hashOf(sequence: Sequence): Promise<Buffer | undefined> {
    const name = (await this.names()).findLast(other => (objectFrom(other) ?? 0) <= sequence)
    const contents = name === undefined ? undefined : await this.#options.store.get(name)
    if (name === undefined || contents === undefined) return undefined
    const lines = await readLines(name, await wholeOf(contents), this.#options.keys.identities)
    return lines.find(line => line.sequence === sequence)?.hash
  }

  /** Returns true if the last object that was read or put ends with a line, or the log begins behind it. */
  isAt({ sequence }: LogEnd): boolean {
    return (this.#seen?.end ?? this.#options.behind ?? 0) === sequence
  }

  /**
   * Throws if the object that ends with a line, seen before, is gone: TrimmedError if the log went on, and
   * another error if this is not the place that it was.
   */
  async checkKept(end: LogEnd): Promise<void> {
    const gap = await this.#gap(end)
    if (gap === undefined) return
    if (gap.kind === 'unknown') throw new Error(gap.reason)
    const { place } = this.#options.store
    throw new TrimmedError(`${place} no longer has batch ${end.sequence}, which this exchange ends with`)
  }

  async head(name: string): Promise<ObjectHead | undefined> {
    const contents = await this.#options.store.get(name)
    return contents && readHead(name, await wholeOf(contents))
  }

  async *read(after: Sequence): AsyncGenerator<readonly JournalRow[], void, undefined> {
    const names = await this.names()
    // Objects follow each other: the first one to read is the last that begins at or before the next line.
    const start = names.findLastIndex(name => (objectFrom(name) ?? 0) <= after + 1)
    const { place } = this.#options.store
    if (start < 0 && names[0] !== undefined) {
      throw new TrimmedError(
        `${place} begins with batch ${objectFrom(names[0])}, which does not follow ${after}`,
      )
    }
    for (const name of names.slice(Math.max(0, start))) {
      const contents = await this.#options.store.get(name)
      // The last ones are never trimmed.
      if (contents === undefined && !(await this.#goesOnBehind(name))) throw lackOf(this.#options.store, name)
      if (contents === undefined) throw new TrimmedError(`${name} was deleted while it was read`)
      const whole = await wholeOf(contents)
      const lines = await readLines(name, whole, this.#options.keys.identities)
      this.#seen = { name, end: readHead(name, whole).end.sequence }
      yield lines.filter(({ sequence }) => sequence > after)
    }
  }

  /**
   * Returns the lines of the object that begins behind a line; none if there is no such object. Throws if an
   * exchange with another id has ended the log.
   */
  async next({ sequence }: LogEnd): Promise<readonly JournalRow[]> {
    const { store, keys } = this.#options
    const name = objectName((sequence + 1) as Sequence)
    const contents = (await store.has(name)) ? await store.get(name) : undefined
    if (contents === undefined) return []
    const whole = await wholeOf(contents)
    const head = readHead(name, whole)
    if (head.fence !== undefined) {
      throw new FencedError(
        `${store.place} was taken over behind batch ${head.end.sequence} by an exchange of its own`,
      )
    }
    this.#seen = { name, end: head.end.sequence }
    return readLines(name, whole, keys.identities)
  }

  /**
   * Ends the log, in the name of one who takes over behind a line: the exchange that has written it so far
   * finds its next name taken. Of several who try exactly one succeeds. Returns what is there instead.
   *
   * @param end the line; a backup may have brought it before the log has it
   * @param first the first line of a log without objects
   */
  async fence(
    end: LogEnd,
    by: string,
    first: Sequence,
  ): Promise<'ended' | 'more lines' | 'ended by another'> {
    const { store, exchange } = this.#options
    const last = await this.last()
    if (last?.fence !== undefined) return last.fence === by ? 'ended' : 'ended by another'
    if (last !== undefined && last.end.sequence > end.sequence) return 'more lines'
    const next = (last === undefined ? first : last.end.sequence + 1) as Sequence
    const name = objectName(next)
    if (await store.putNew(name, fenceObject(exchange, next, end, by))) return 'ended'
    const found = await this.head(name)
    if (found === undefined) throw new Error(`${store.place} refused ${name}, and has none: try again`)
    if (found.fence === undefined) return 'more lines'
    return found.fence === by ? 'ended' : 'ended by another'
  }

  /** Returns the names of the objects, in order. Throws for an empty mount point in place of those seen. */
  async names(): Promise<string[]> {
    const { store } = this.#options
    const files = await store.list(OBJECTS)
    const names = files.flatMap(({ name }) => (objectFrom(name) === undefined ? [] : [name])).sort()
    const seen = this.#seen?.name
    if (names.length === 0 && seen !== undefined) await assertKept(store, seen)
    return names
  }
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
const unknown = (reason: string) => ({ kind: 'unknown', reason }) as const
const fenced = (reason: string) => ({ kind: 'fenced', reason }) as const
