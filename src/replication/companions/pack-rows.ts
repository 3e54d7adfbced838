import type { StoreKeys } from '../../backup/stores/encrypted-store.js'
import type { RowImage } from '../../store/companions/table-rows.js'
import type { Pack } from './pack.js'
import { unpackRows } from './pack.js'

/** Unpacks the rows of packs, one after the other: the text of a large row goes on in the next pack. */
export class PackRows {
  readonly #identities: StoreKeys['identities']
  #cut: Uint8Array[] = []

  constructor(identities: StoreKeys['identities']) {
    this.#identities = identities
  }

  /** Adds the rows of a pack to others; returns true once all that are taken together are there. */
  async add({ head, body }: Pack, rows: RowImage[]): Promise<boolean> {
    if (head.isFirst) this.#cut = []
    this.#cut.push(body)
    if (head.isCut) return false
    const whole = Buffer.concat(this.#cut)
    this.#cut = []
    for (const row of await unpackRows(whole, head, this.#identities)) rows.push(row)
    return head.isLast
  }
}
