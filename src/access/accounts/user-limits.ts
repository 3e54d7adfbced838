import type { Amount } from '../../core/units.js'
import { amountToRupees } from '../../core/units.js'
import type { AccessContext, Author } from './access-context.js'

/** The limits that operators have set for the orders of one user. */
export interface UserLimit {
  readonly userId: string
  readonly isSuspended: boolean
  /** Why the user is suspended, for operators; perhaps empty. */
  readonly reason: string
  /** The most that one order may be worth. */
  readonly orderValueMax: Amount | undefined
  readonly openOrdersMax: number | undefined
  readonly changedAt: number
  readonly changedBy: string
}

/** The fields to change; the others stay. Null removes a bound. */
export interface LimitChange {
  readonly isSuspended?: boolean | undefined
  readonly reason?: string | undefined
  readonly orderValueMax?: Amount | null | undefined
  readonly openOrdersMax?: number | null | undefined
}

interface LimitRow {
  readonly userid: string
  readonly suspended: 0 | 1
  readonly reason: string
  readonly order_value_max: Amount | null
  readonly open_orders_max: number | null
  readonly changed_at: number
  readonly changed_by: string
}

type Bounds = Pick<UserLimit, 'isSuspended' | 'reason' | 'orderValueMax' | 'openOrdersMax'>

const NONE: Bounds = { isSuspended: false, reason: '', orderValueMax: undefined, openOrdersMax: undefined }

/** The limits of single users: on disk, and in memory for the exchange, which asks for each order. */
export class UserLimits {
  readonly #context: AccessContext
  readonly #byUser = new Map<string, UserLimit>()

  constructor(context: AccessContext) {
    this.#context = context
    this.reread()
  }

  /** Reads the limits of all users from the file. */
  reread(): void {
    this.#byUser.clear()
    const all = this.#context.database.prepare<unknown[], LimitRow>('SELECT * FROM user_limits')
    for (const row of all.iterate()) this.#byUser.set(row.userid, limitOf(row))
  }

  /** Returns the limits of a user; undefined without any. */
  of(userId: string): UserLimit | undefined {
    return this.#byUser.get(userId)
  }

  /** Returns the users who have limits, or those of them who are suspended. */
  names(isSuspended: boolean): string[] {
    const found = [...this.#byUser.values()].filter(limit => !isSuspended || limit.isSuspended)
    return found.map(({ userId }) => userId)
  }

  /** Changes the limits of a user; on disk with its lines of the audit log when it returns. */
  change(userId: string, change: LimitChange, author: Author): UserLimit | undefined {
    const before = this.#byUser.get(userId) ?? NONE
    const after = changed(before, change)
    const lines = linesOf(before, after)
    if (lines.length === 0) return this.#byUser.get(userId)
    const { database, now, audit } = this.#context
    const limit: UserLimit = { userId, ...after, changedAt: now(), changedBy: author.by }
    const isNone = linesOf(NONE, after).length === 0
    database.transaction(() => {
      if (isNone) database.prepare('DELETE FROM user_limits WHERE userid = ?').run(userId)
      else this.#write(limit)
      for (const [kind, detail] of lines) audit.write(kind, { name: userId, ...author, detail })
    })()

    // After this point the change is on disk, and holds for the next order.
    if (isNone) this.#byUser.delete(userId)
    else this.#byUser.set(userId, limit)
    return this.#byUser.get(userId)
  }

  #write(limit: UserLimit): void {
    const { userId, isSuspended, reason, orderValueMax, openOrdersMax, changedAt, changedBy } = limit
    this.#context.database
      .prepare('INSERT OR REPLACE INTO user_limits VALUES (?, ?, ?, ?, ?, ?, ?)')
      .run(
        userId,
        Number(isSuspended),
        reason,
        orderValueMax ?? null,
        openOrdersMax ?? null,
        changedAt,
        changedBy,
      )
  }
}

/** Returns the limits after a change; a user whose trading is resumed keeps no reason. */
function changed(before: Bounds, change: LimitChange): Bounds {
  const isSuspended = change.isSuspended ?? before.isSuspended
  const bound = <Value>(now: Value | null | undefined, old: Value | undefined) =>
    now === undefined ? old : (now ?? undefined)
  return {
    isSuspended,
    reason: isSuspended ? (change.reason ?? before.reason) : '',
    orderValueMax: bound(change.orderValueMax, before.orderValueMax),
    openOrdersMax: bound(change.openOrdersMax, before.openOrdersMax),
  }
}

type AuditedChange = readonly [
  kind: 'trading_suspended' | 'trading_resumed' | 'limits_changed',
  detail: string,
]

/** Returns the lines of the audit log about a change, none if nothing changed. */
function linesOf(before: Bounds, after: Bounds): AuditedChange[] {
  const lines: AuditedChange[] = []
  if (before.isSuspended && !after.isSuspended) lines.push(['trading_resumed', before.reason])
  if (after.isSuspended && (!before.isSuspended || before.reason !== after.reason)) {
    lines.push(['trading_suspended', after.reason])
  }
  const details = [
    difference('order value', valueText(before.orderValueMax), valueText(after.orderValueMax)),
    difference('open orders', countText(before.openOrdersMax), countText(after.openOrdersMax)),
  ].filter(text => text !== '')
  if (details.length > 0) lines.push(['limits_changed', details.join(', ')])
  return lines
}

function difference(name: string, before: string, after: string): string {
  return before === after ? '' : `${name} ${before} → ${after}`
}

function valueText(value: Amount | undefined): string {
  return value === undefined ? 'unlimited' : `₹${amountToRupees(value)}`
}

function countText(count: number | undefined): string {
  return count === undefined ? 'unlimited' : String(count)
}

function limitOf(row: LimitRow): UserLimit {
  return {
    userId: row.userid,
    isSuspended: row.suspended === 1,
    reason: row.reason,
    orderValueMax: row.order_value_max ?? undefined,
    openOrdersMax: row.open_orders_max ?? undefined,
    changedAt: row.changed_at,
    changedBy: row.changed_by,
  }
}
