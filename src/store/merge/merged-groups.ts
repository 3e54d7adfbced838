import type { CreateGroup, EditGroup } from '../../core/group-command.js'
import type { MarketCode, TimeMs } from '../../core/units.js'
import type { Database, Statement } from '../database.js'
import { RowBuffer } from './row-buffer.js'
import type { TakenBatch } from './taken-batch.js'

type Outcome = Pick<TakenBatch['outcome'], 'groups' | 'conversions'>

/** The groups that batches create or change, and their conversions. */
export class MergedGroups {
  readonly #insert: Statement
  readonly #edit: Statement
  readonly #update: Statement
  readonly #selectCode: Statement<MarketCode>
  readonly #conversions: RowBuffer
  readonly #created = new Map<MarketCode, CreateGroup>()
  #edits: EditGroup[] = []
  #changes = new Map<MarketCode, Outcome['groups'][number]>()

  constructor(database: Database) {
    this.#insert = database.prepare(
      `INSERT INTO market_groups VALUES (@code, @id, @kind, @title, @description, @hasNone, @createdAt,
       @payout, @escrow, 0, 0)`,
    )
    this.#edit = database.prepare(
      `UPDATE market_groups SET title = ifnull(?, title), description = ifnull(?, description)
       WHERE code = ?`,
    )
    this.#update = database.prepare('UPDATE market_groups SET sets = ?, conversions = ? WHERE code = ?')
    this.#selectCode = database
      .prepare<unknown[], MarketCode>('SELECT code FROM market_groups WHERE code = ?')
      .pluck()
    this.#conversions = new RowBuffer(database, 'conversions', { width: 11 })
  }

  /** Returns true if a code is a group's. */
  has(code: MarketCode): boolean {
    return this.#created.has(code) || this.#selectCode.get(code) !== undefined
  }

  /** Collects what a batch did to groups. */
  take(others: TakenBatch['others'], { groups, conversions }: Outcome, at: TimeMs): void {
    for (const [, command] of others) {
      if (command.type === 'CREATE_GROUP') this.#created.set(command.terms.code, command)
      else if (command.type === 'EDIT_GROUP') this.#edits.push(command)
      else if (command.type === 'CONVERT') {
        const made = conversions.find(({ id }) => id === command.id)
        if (made === undefined || made.refusal !== undefined) continue
        const { group, account, direction, lots } = command
        const lists = [command.markets, command.others].map(list => JSON.stringify(list))
        const cells = [group, made.number, account, at, direction, lots, made.cash, ...lists]
        this.#conversions.add(...cells, command.key?.name ?? null, command.key?.fingerprint ?? null)
      }
    }
    for (const change of groups) this.#changes.set(change.code, change)
  }

  /** Writes everything collected, within the caller's transaction. */
  flush(): void {
    for (const { terms, listing } of this.#created.values()) {
      const { escrow = null } = terms
      this.#insert.run({ ...terms, ...listing, escrow, hasNone: listing.hasNone ? 1 : 0 })
    }
    for (const { group, listing } of this.#edits) {
      this.#edit.run(listing.title ?? null, listing.description ?? null, group)
    }
    for (const { code, sets, conversions } of this.#changes.values()) {
      this.#update.run(sets, conversions, code)
    }
    this.#conversions.flush()
    this.#created.clear()
    this.#edits = []
    this.#changes.clear()
  }
}
