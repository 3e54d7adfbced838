import type { Courier } from './courier.js'
import type { Cursor } from './endpoint-run.js'
import type { Happening } from './journal-messages.js'
import type { JournalPart } from './webhook-thread.js'

/** The number behind all that one batch of the journal tells: a cursor there has read the batch. */
export const BATCH_END = 999_999

/** The number before that of the first notice behind a batch: each adds its id. */
export const NOTICES_FROM = BATCH_END + 1

/** Reads the journal for all endpoints. Those at the same place share one reading. */
export class JournalReader {
  readonly #courier: Pick<Courier, 'read'>
  readonly #underWay = new Map<string, Promise<JournalPart>>()

  constructor(courier: Pick<Courier, 'read'>) {
    this.#courier = courier
  }

  read(after: number, upTo: number): Promise<JournalPart> {
    const key = `${after} ${upTo}`
    const reading =
      this.#underWay.get(key) ??
      this.#courier.read(after, upTo).finally(() => {
        this.#underWay.delete(key)
      })
    this.#underWay.set(key, reading)
    return reading
  }
}

/** The journal as one endpoint reads it: a part at a time, up to the last batch that is applied. */
export class JournalFeed {
  readonly #reader: JournalReader
  readonly #lastSequence: () => number
  /** Has everything wanted behind batch `from`, up to `reached`. */
  #part: (JournalPart & { readonly from: number }) | undefined

  constructor(reader: JournalReader, lastSequence: () => number) {
    this.#reader = reader
    this.#lastSequence = lastSequence
  }

  /** The last batch that was read; undefined if nothing was yet. */
  get reached(): number | undefined {
    return this.#part?.reached
  }

  /** Returns the first happening behind a cursor that is wanted, with those read with it; or undefined. */
  async next(
    after: Cursor,
    isWanted: (happening: Happening, part: readonly Happening[]) => boolean,
  ): Promise<Happening | undefined> {
    const from = after.index >= BATCH_END ? after.sequence : after.sequence - 1
    for (;;) {
      const part = this.#part
      if (part !== undefined && part.from <= from) {
        const { happenings } = part
        const found = happenings.find(one => isBehind(one, after) && isWanted(one, happenings))
        if (found !== undefined || part.reached >= this.#lastSequence()) return found
        const next = await this.#reader.read(part.reached, this.#lastSequence())
        // Forgotten meanwhile: what was read before may be wanted now.
        if (this.#part !== part) continue
        if (next.reached === part.reached) return undefined
        this.#part = { ...next, from: part.from }
      } else {
        this.#part = { happenings: [], reached: Math.min(from, this.#lastSequence()), from }
      }
    }
  }

  /** Forgets what was read, since another cursor or other kinds may want it. */
  forget(): void {
    this.#part = undefined
  }
}

/** Returns true if the first place comes after the other. */
export function isBehind(a: Cursor, b: Cursor): boolean {
  return a.sequence > b.sequence || (a.sequence === b.sequence && a.index > b.index)
}
