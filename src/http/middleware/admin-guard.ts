import { createHash, timingSafeEqual } from 'node:crypto'
import type { Context, MiddlewareHandler } from 'hono'
import { ApiError } from '../../api/api-error.js'
import { REFUSED } from '../../api/refusal-texts.js'
import type { By } from '../../core/command.js'

declare module 'hono' {
  interface ContextVariableMap {
    /** Authentication of the sender, for the audit log. */
    letIn: Pick<By, 'who' | 'address'>
  }
}

/** The adapter's view of the connection; empty for a request made without a socket. */
interface Connection {
  readonly incoming?: { readonly socket?: { readonly remoteAddress?: string } }
}

const LOOPBACK = /^(?:::1|(?:::ffff:)?127\.\d+\.\d+\.\d+)$/
const LOCAL_HOST = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/i
const BEARER = /^Bearer +(\S+)$/i
/** Values by which a browser marks a request as typed in, or as coming from the exchange's own pages. */
const OWN_SITES = ['none', 'same-origin']
/** Headers by which a proxy on this machine reveals that it acts for others. */
const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-real-ip'] as const

const SEND_TOKEN = REFUSED.adminTokenMissing
const WRONG_TOKEN = REFUSED.adminTokenWrong
const NO_TOKEN = REFUSED.operatorOnly

/**
 * Lets operators pass: with a token set, requests that carry it (specification 5); without one, programs on
 * this machine. Refuses with 401 or 403 before anything else in the request is read.
 */
export function adminGuard(token: string | undefined): MiddlewareHandler {
  const refusal = token === undefined ? strangerRefusal : tokenRefusal(token)
  const who = token === undefined ? 'loopback' : 'token'
  return async (c, next) => {
    const refused = refusal(c)
    if (refused !== undefined) throw refused
    c.set('letIn', { who, address: shownAddress(c) })
    await next()
  }
}

/** Lets everybody pass, and notes requests with the admin token; all others stay anonymous. */
export function openDoor(token: string | undefined): MiddlewareHandler {
  const refusal = token === undefined ? undefined : tokenRefusal(token)
  return async (c, next) => {
    const isOperator = refusal !== undefined && refusal(c) === undefined
    c.set('letIn', { who: isOperator ? 'token' : 'open', address: shownAddress(c) })
    await next()
  }
}

/** Returns the sender of a request that passed one of the two guards, and its fields. */
export function byOf(c: Context, fields: By['fields'] = {}): By {
  return { ...c.get('letIn'), fields }
}

function tokenRefusal(token: string): (c: Context) => ApiError | undefined {
  const expected = digest(token)
  return c => {
    const [, sent] = BEARER.exec(c.req.header('authorization') ?? '') ?? []
    if (sent === undefined) return new ApiError(401, SEND_TOKEN)
    // Digests have one length, so the comparison reveals nothing about the token, not even its length.
    if (timingSafeEqual(digest(sent), expected)) return undefined
    return new ApiError(403, WRONG_TOKEN, 'token_wrong')
  }
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

/**
 * Refuses everybody but programs on this machine, including web pages in a browser here. A page from
 * elsewhere reveals itself in `Origin`, or in `Sec-Fetch-Site` when it requests an image; a page whose name
 * was pointed at this machine still has that name in `Host`.
 */
function strangerRefusal(c: Context): ApiError | undefined {
  const host = c.req.header('host') ?? ''
  const origin = c.req.header('origin')
  const isLocal = LOOPBACK.test(peerAddress(c)) && LOCAL_HOST.test(host)
  const isDirect = FORWARDED.every(name => c.req.header(name) === undefined)
  const isOwnPage =
    (origin === undefined || origin.toLowerCase() === `http://${host.toLowerCase()}`) &&
    OWN_SITES.includes(c.req.header('sec-fetch-site') ?? 'none')
  if (isLocal && isDirect && isOwnPage) return undefined
  return new ApiError(403, NO_TOKEN)
}

/** Returns the address as people write it: a dual-stack socket writes IPv4 addresses in IPv6 form. */
function shownAddress(c: Context): string {
  return peerAddress(c).replace(/^::ffff:(?=\d+\.)/, '')
}

function peerAddress(c: Context): string {
  return (c.env as Connection | undefined)?.incoming?.socket?.remoteAddress ?? ''
}
