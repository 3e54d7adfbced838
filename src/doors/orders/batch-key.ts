import type { Identity } from '../../access/identity.js'
import { mayActFor } from '../../access/rights.js'
import { ApiError } from '../../api/api-error.js'
import type { UserNames } from '../../api/new-user-id.js'
import { canonicalText } from '../../api/orders/order-key.js'
import { orderSchema, orderText } from '../../api/orders/order-schema.js'
import { REFUSED } from '../../api/refusal-texts.js'
import type { BatchKey } from '../../core/order-names.js'
import type { Amendment } from '../../exchange/orders/order-amendments.js'
import { fingerprintOf } from '../../exchange/orders/request-fingerprint.js'

/** The body of a batch: either of the two. */
interface BatchBody {
  readonly orders?: readonly unknown[] | undefined
  readonly cancels?: readonly unknown[] | undefined
}

/**
 * Returns the key of a named amendment, which belongs to its authenticated caller and to the order: in `open`
 * mode, where nobody is authenticated, to the order alone.
 */
export function amendmentKeyOf(
  names: UserNames,
  caller: Identity,
  { id, key }: { readonly id: string; readonly key: string },
  { price, quantity }: Amendment,
): BatchKey {
  const name = JSON.stringify([ownerOf(names, caller, []), key, id])
  return { name, fingerprint: fingerprintOf(JSON.stringify([price ?? null, quantity ?? null])) }
}

/** Owns the names of operators whose credential has no user: no user id is empty. */
const OPERATOR = ''

/**
 * Returns the key of a named batch; undefined if every order is of a user for whom the caller may not act:
 * nothing is kept under the name then. A name belongs to its authenticated caller, whatever users the body
 * names. In `open` mode it belongs to the one user whom the orders name; batches of cancels, which name
 * nobody, share one space. Throws 422 if the orders are then of several users.
 */
export function batchKeyOf(
  names: UserNames,
  caller: Identity,
  key: string,
  body: BatchBody,
): BatchKey | undefined {
  const { orders, cancels } = body
  if (orders !== undefined && !orders.some(order => isPermitted(caller, order))) return undefined
  const words = { orders: orders?.map(wordsOf) ?? null, cancels: cancels?.map(textOf) ?? null }
  const name = JSON.stringify([ownerOf(names, caller, orders ?? []), key])
  return { name, fingerprint: fingerprintOf(canonicalText(['orders', 'cancels'], words)) }
}

function isPermitted(caller: Identity, order: unknown): boolean {
  const userId = userNamedBy(order)
  return userId === undefined || mayActFor(caller, userId, 'trade')
}

/** Returns the user whose name it is; null for nobody's. */
function ownerOf(names: UserNames, caller: Identity, orders: readonly unknown[]): string | null {
  if (caller.kind !== 'open') {
    return caller.userId === undefined ? OPERATOR : names.userNamed(caller.userId).userId
  }
  const users = orders.map(userNamedBy).filter(userId => userId !== undefined)
  const [owner = null, ...others] = new Set(users.map(userId => names.userNamed(userId).userId))
  if (others.length > 0) throw new ApiError(422, REFUSED.batchOfSeveral)
  return owner
}

/** Returns the user that an order names, valid or not; undefined if it names none. */
function userNamedBy(order: unknown): string | undefined {
  if (typeof order !== 'object' || order === null) return undefined
  const { userid } = order as { readonly userid?: unknown }
  return typeof userid === 'string' || typeof userid === 'number' ? String(userid) : undefined
}

/** Returns one order as text, the same however it was written. */
function wordsOf(item: unknown): string {
  const { success, data } = orderSchema.safeParse(item)
  return success ? fingerprintOf(orderText(data)) : textOf(item)
}

/** Serializes a value; one nested too deeply to serialize is invalid anyway. */
function textOf(item: unknown): string {
  try {
    return JSON.stringify(item) ?? ''
  } catch {
    return 'too deep'
  }
}
