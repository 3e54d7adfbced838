import { assert } from '../../core/assert.js'
import type { SetResult } from '../../core/command-effects.js'
import type { CreatedMarket } from '../../core/group-command.js'
import type { MarketChange } from '../../core/engine-event.js'
import type { MarketEdit } from '../../core/market-edit.js'
import type { MarketCode, TimeMs } from '../../core/units.js'
import type { Database, Statement } from '../database.js'
import { folded } from '../folded.js'

const OPTIONAL = { category: null, sourceUrl: null, feeTaker: null, feeMaker: null }
const UNGROUPED = { group: null, pool: null, label: null }
const FIELDS = ['title', 'slug', 'description', 'sot', 'startAt', 'endAt', 'minBet', 'maxBet', 'capacity']
/** NULL leaves a field unchanged. */
const UNEDITED = { ...Object.fromEntries(FIELDS.map(field => [field, null])), ...OPTIONAL }

/** Writes rows of markets, and the full-text index of their titles. */
export class MarketWriter {
  readonly #insert: Statement
  readonly #insertWords: Statement
  readonly #deleteWords: Statement
  readonly #edit: Statement
  readonly #update: Statement
  readonly #resolve: Statement
  readonly #setTraders: Statement

  constructor(database: Database) {
    this.#insert = database.prepare(
      `INSERT INTO markets VALUES (@code, @id, @slug, @title, @description, @sot, @createdAt, @startAt,
       @endAt, @minBet, @maxBet, @capacity, @payout, @tickSize, @escrow, @status, 0, 0, NULL, 0, 0,
       NULL, NULL, NULL, NULL, @category, @sourceUrl, 0, @feeTaker, @feeMaker, 0, @group, @pool, @label)`,
    )
    this.#insertWords = database.prepare('INSERT INTO market_words (rowid, title) VALUES (?, ?)')
    // FTS5 deletes by content: it must be given the text that was indexed.
    this.#deleteWords = database.prepare(
      `INSERT INTO market_words (market_words, rowid, title)
       SELECT 'delete', code, folded(title) FROM markets WHERE code = ?`,
    )
    // Sets the pairs too, because the CHECK compares them with the capacity at each step.
    this.#edit = database.prepare(
      `UPDATE markets SET title = ifnull(@title, title), slug = ifnull(@slug, slug),
       description = ifnull(@description, description), sot = ifnull(@sot, sot),
       category = nullif(ifnull(@category, category), ''),
       listed_source_url = nullif(ifnull(@sourceUrl, listed_source_url), ''),
       start_at = ifnull(@startAt, start_at), end_at = ifnull(@endAt, end_at),
       min_bet = ifnull(@minBet, min_bet), max_bet = ifnull(@maxBet, max_bet),
       capacity = ifnull(@capacity, capacity), open_pairs = @openPairs,
       fee_taker = iif(@setsTaker, @feeTaker, fee_taker), fee_maker = iif(@setsMaker, @feeMaker, fee_maker)
       WHERE code = @code`,
    )
    this.#update = database.prepare(
      `UPDATE markets SET status = ?, outcome = ?, seq = ?, trades = ?, last_price = ?, volume = ?,
       open_pairs = ?, fees = ? WHERE code = ?`,
    )
    this.#resolve = database.prepare(
      'UPDATE markets SET source_url = ?, note = ?, resolved_at = ? WHERE code = ?',
    )
    this.#setTraders = database.prepare('UPDATE markets SET traders = ? WHERE code = ?')
  }

  insert(command: CreatedMarket): void {
    this.#insert.run({
      ...OPTIONAL,
      ...UNGROUPED,
      ...command.terms,
      ...command.listing,
      status: command.status,
    })
    this.#insertWords.run(command.terms.code, folded(command.listing.title))
  }

  update(change: MarketChange): void {
    const { code, status, outcome, seq, trades, lastPrice, volume, openPairs, fees } = change
    const numbers = [seq, trades, lastPrice ?? null, volume, openPairs, fees]
    const { changes } = this.#update.run(status, outcome ?? null, ...numbers, code)
    assert(changes === 1, 'a market that changes exists')
  }

  /** Writes the fields edited in a batch; to be called before `update`. */
  edit(edit: MarketEdit, { code, openPairs }: MarketChange): void {
    const { title } = edit.listing
    if (title !== undefined) this.#deleteWords.run(code)
    const sets = { setsTaker: isSet(edit.terms.feeTaker), setsMaker: isSet(edit.terms.feeMaker) }
    this.#edit.run({ ...UNEDITED, ...edit.listing, ...edit.terms, ...sets, code, openPairs })
    if (title !== undefined) this.#insertWords.run(code, folded(title))
  }

  /** Writes when the market was resolved, with source and note. */
  resolve({ market, sourceUrl, note }: SetResult, at: TimeMs): void {
    this.#resolve.run(sourceUrl ?? null, note ?? null, at, market)
  }

  setTraders(code: MarketCode, traders: number): void {
    this.#setTraders.run(traders, code)
  }
}

/** Null is a value: it takes the event's own rate away. */
function isSet(rate: number | null | undefined): 0 | 1 {
  return rate === undefined ? 0 : 1
}
