import type { Companion } from '../../store/files/companion-files.js'
import { assertKept } from '../objects/empty-place.js'
import { wholeOf } from '../objects/journal-object.js'
import type { ReplicaStore } from '../objects/replica-store.js'
import { MARKER } from '../objects/replica-store.js'
import { FencedError, LogLostError } from '../replication-error.js'
import type { PackLog } from './pack-log.js'

const DIGITS = 16

/** Packs as objects of a store, each named after its place. */
export class ObjectPacks implements PackLog {
  readonly #store: PackStore
  readonly #prefix: string

  constructor(store: PackStore, companion: Companion) {
    this.#store = store
    this.#prefix = `companion-${companion}-`
  }

  get name(): string {
    return `${this.#store.place} (${this.#prefix}…)`
  }

  put(place: number, pack: Uint8Array): Promise<boolean> {
    return this.#store.putNew(this.#nameOf(place), pack)
  }

  async get(place: number): Promise<Uint8Array | undefined> {
    const contents = await this.#store.get(this.#nameOf(place))
    return contents && wholeOf(contents)
  }

  /** A name is free again once its object was deleted, as an exchange finds that slept meanwhile. */
  async confirm(place: number, pack: Uint8Array): Promise<void> {
    const isKept = await this.#store.has(place > 1 ? this.#nameOf(place - 1) : MARKER)
    if (place > 1 && isKept) return
    const places = await this.#places()
    const isLast = places.every(other => other <= place)
    if (place === 1 && isKept && isLast) return
    // Its disk may have come back: then another exchange's may be there.
    const found = await this.get(place)
    if (found !== undefined && Buffer.compare(found, pack) === 0)
      await this.#store.delete(this.#nameOf(place))
    if (!isLast) throw new FencedError(`${this.name} was taken over: it goes on behind pack ${place}`)
    await assertKept(this.#store, MARKER)
    const last = lastOf(places.filter(other => other < place))
    const lack = `no longer has pack ${place - 1}`
    // The marker is there, so it is the place: one whose packs were restored as of an earlier time.
    if (last < place - 1) throw new LogLostError(`${this.name} ${lack}, and ends at pack ${last}`)
    throw new Error(`${this.name} ${lack}: mount its disk, or see what deletes files there`)
  }

  async last(): Promise<number> {
    const places = await this.#places()
    if (places.length === 0) await assertKept(this.#store, MARKER)
    return lastOf(places)
  }

  async trim(before: number): Promise<void> {
    for (const place of await this.#places()) {
      if (place < before) await this.#store.delete(this.#nameOf(place))
    }
  }

  async #places(): Promise<number[]> {
    const files = await this.#store.list(this.#prefix)
    return files.flatMap(({ name }) => {
      const digits = name.startsWith(this.#prefix) ? name.slice(this.#prefix.length) : ''
      return /^\d{16}\.raay$/.test(digits) ? [Number(digits.slice(0, DIGITS))] : []
    })
  }

  #nameOf(place: number): string {
    return `${this.#prefix}${String(place).padStart(DIGITS, '0')}.raay`
  }
}

const lastOf = (places: readonly number[]) => places.reduce((last, place) => Math.max(last, place), 0)

/** The part of a store that packs need. */
export type PackStore = Pick<ReplicaStore, 'place' | 'list' | 'get' | 'putNew' | 'has' | 'delete'>
