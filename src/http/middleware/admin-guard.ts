import { createHash, timingSafeEqual } from 'node:crypto'
import type { Context, MiddlewareHandler } from 'hono'
import { ApiError } from '../../api/api-error.js'
import type { By } from '../../core/command.js'

declare module 'hono' {
  interface ContextVariableMap {
    /** How whoever sent the request was let in, for the audit log. */
    letIn: Pick<By, 'who' | 'address'>
  }
}

/** What the adapter knows of the connection; a request made without a socket has none of it. */
interface Connection {
  readonly incoming?: { readonly socket?: { readonly remoteAddress?: string } }
}

const LOOPBACK = /^(?:::1|(?:::ffff:)?127\.\d+\.\d+\.\d+)$/
const LOCAL_HOST = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/i
const BEARER = /^Bearer +(\S+)$/i
/** What a browser says of a request that no other site made: typed in, or from a page of ours. */
const OWN_SITES = ['none', 'same-origin']
/** A proxy on this machine speaks for others; it says so in one of these. */
const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-real-ip'] as const

const SEND_TOKEN = 'Send the admin token: Authorization: Bearer <token>'
const WRONG_TOKEN = 'This is not the admin token: send the one that the exchange was started with'
const NO_TOKEN =
  'Only programs on the machine of the exchange may do this, unless it is started with RAAY_ADMIN_TOKEN'

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

/** Lets everybody pass, and notes who came with the admin token; nobody has asked the others who they are. */
export function openDoor(token: string | undefined): MiddlewareHandler {
  const refusal = token === undefined ? undefined : tokenRefusal(token)
  return async (c, next) => {
    const isOperator = refusal !== undefined && refusal(c) === undefined
    c.set('letIn', { who: isOperator ? 'token' : 'open', address: shownAddress(c) })
    await next()
  }
}

/** Who has sent a request that passed one of the two, and what it said. */
export function byOf(c: Context, fields: By['fields'] = {}): By {
  return { ...c.get('letIn'), fields }
}

function tokenRefusal(token: string): (c: Context) => ApiError | undefined {
  const expected = digest(token)
  return c => {
    const [, sent] = BEARER.exec(c.req.header('authorization') ?? '') ?? []
    if (sent === undefined) return new ApiError(401, SEND_TOKEN)
    // Digests are of one length, so that the comparison tells nothing of the token, not even how long it is.
    if (timingSafeEqual(digest(sent), expected)) return undefined
    return new ApiError(403, WRONG_TOKEN, 'token_wrong')
  }
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

/**
 * Programs on this machine may do as they like; a web page in a browser here may not. A page from elsewhere
 * names itself in `Origin`, or in `Sec-Fetch-Site` where it asks for a picture; one whose name was pointed to
 * this machine still has that name in `Host`.
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

/** The address as people write it: a socket that takes both kinds writes the older one in the newer form. */
function shownAddress(c: Context): string {
  return peerAddress(c).replace(/^::ffff:(?=\d+\.)/, '')
}

function peerAddress(c: Context): string {
  return (c.env as Connection | undefined)?.incoming?.socket?.remoteAddress ?? ''
}
