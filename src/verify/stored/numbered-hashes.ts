const CAPACITY_START = 1024
/** A number this far beyond all others was not given in turn: it does not lengthen the array. */
const STRIDE_MAX = 4

/** One hash for each number of each market: 1, 2, 3, … as orders and trades are numbered. 0 means no row. */
export class NumberedHashes {
  readonly byMarket = new Map<number, Int32Array>()
  /** Numbers out of turn: `market number`. */
  readonly strays = new Map<string, number>()

  set(market: number, number: number, hash: number): void {
    let hashes = this.byMarket.get(market)
    if (hashes === undefined) {
      hashes = new Int32Array(CAPACITY_START)
      this.byMarket.set(market, hashes)
    }
    if (!(number > 0 && number < hashes.length * STRIDE_MAX)) {
      this.strays.set(`${market} ${number}`, hash)
      return
    }
    if (number >= hashes.length) {
      const grown = new Int32Array(Math.max(2 * hashes.length, number + 1))
      grown.set(hashes)
      this.byMarket.set(market, grown)
      hashes = grown
    }
    hashes[number] = hash
  }
}

/** The hashes as they cross threads: without methods. */
type HashFields = Pick<NumberedHashes, 'byMarket' | 'strays'>

/** Returns the hash of a number, 0 for none; where it lies depends on the order in which numbers came. */
export function hashOf({ byMarket, strays }: HashFields, market: number, number: number): number {
  const hash = byMarket.get(market)?.[number] ?? 0
  return hash === 0 && strays.size > 0 ? (strays.get(`${market} ${number}`) ?? 0) : hash
}
