import { assert } from '../../core/assert.js'
import type { PositionPosting } from '../../core/postings.js'
import type { PositionRow } from '../../core/records/position-record.js'
import type { AccountNumber } from '../../core/units.js'
import { lots } from '../../core/units.js'
import type { Database, Statement } from '../database.js'
import { MarketCache } from './market-cache.js'
import { RowBuffer } from './row-buffer.js'

/** A position as of the last batch taken. */
export type MergedPosition = { -readonly [Field in keyof PositionRow]: PositionRow[Field] } & {
  /** The user has traded in the market: there is a row, or one waits to be written. */
  hasTraded: boolean
  isWaiting: boolean
}

type Columns = [yes: number, no: number, yesLocked: number, noLocked: number, paid: number]

const NOTHING_HELD: Columns = [0, 0, 0, 0, 0]

/** The positions that batches change; each is written once per flush. */
export class MergedPositions {
  readonly #select: Statement<Columns>
  readonly #rows: RowBuffer
  readonly #positions: MarketCache<AccountNumber, MergedPosition>
  #waiting: MergedPosition[] = []

  constructor(database: Database, cachedMax: number) {
    this.#positions = new MarketCache(cachedMax)
    this.#select = database
      .prepare<unknown[], Columns>(
        'SELECT yes, no, yes_locked, no_locked, paid FROM positions WHERE market = ? AND account = ?',
      )
      .raw()
    this.#rows = new RowBuffer(database, 'positions', { width: 7, conflict: 'REPLACE' })
  }

  /**
   * Applies a batch's posting; throws where the table's CHECKs would. Returns true if it is the user's first
   * in the market.
   */
  post(posting: PositionPosting): boolean {
    const position = this.find(posting)
    position.yes = lots(position.yes + posting.yes)
    position.no = lots(position.no + posting.no)
    position.yesLocked = lots(position.yesLocked + posting.yesLocked)
    position.noLocked = lots(position.noLocked + posting.noLocked)
    position.paid += posting.paid
    const { yes, no, yesLocked, noLocked } = position
    assert(0 <= yesLocked && yesLocked <= yes, 'a position locks at most the YES it has, and never owes any')
    assert(0 <= noLocked && noLocked <= no, 'a position locks at most the NO it has, and never owes any')
    if (!position.isWaiting) this.#waiting.push(position)
    position.isWaiting = true
    const isFirst = !position.hasTraded
    position.hasTraded = true
    return isFirst
  }

  find({ market, account }: PositionPosting): MergedPosition {
    const known = this.#positions.get(market, account)
    if (known !== undefined) return known
    const row = this.#select.get(market, account)
    const [yes, no, yesLocked, noLocked, paid] = row ?? NOTHING_HELD
    const contracts = { yes: lots(yes), no: lots(no), yesLocked: lots(yesLocked), noLocked: lots(noLocked) }
    const position = { market, account, ...contracts, paid, hasTraded: row !== undefined, isWaiting: false }
    this.#positions.add(market, account, position)
    return position
  }

  /** Writes the positions that wait, in the order of the table, as orders are. */
  flush(): void {
    this.#waiting.sort((one, other) => one.market - other.market || one.account - other.account)
    for (const position of this.#waiting) {
      const { market, account, yes, no, yesLocked, noLocked, paid } = position
      this.#rows.add(market, account, yes, no, yesLocked, noLocked, paid)
      position.isWaiting = false
    }
    this.#rows.flush()
    this.#waiting = []
    this.#positions.trim()
  }
}
