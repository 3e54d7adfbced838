import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'
import { ApiError } from '../../api/api-error.js'
import { headerOf } from '../middleware/header-of.js'
import { addressOf } from '../routing/sender.js'
import type { Call } from '../routing/handle.js'

/** The address under which a browser sees the exchange. */
export interface SiteOrigin {
  /** Such as `https://raay.example`, without a path. */
  readonly origin: string
  readonly isTls: boolean
}

interface Environment {
  readonly incoming?: {
    readonly socket?: Partial<IncomingMessage['socket']> & { readonly encrypted?: boolean }
  }
}

const NO_TLS =
  'Signing in needs HTTPS here: start the exchange with --tls-cert and --tls-key, ' +
  'or set its https address with --public-url'

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

/**
 * Returns the address under which the sender of a request sees the exchange. A browser says so itself, and
 * pages of other sites came no further than the edge; otherwise it is the public URL, or the Host header.
 */
export function siteOriginOf(call: Call, publicUrl: string | undefined): SiteOrigin {
  const sent = headerOf(call.c, 'origin')
  const host = headerOf(call.c, 'host') ?? 'localhost'
  const own = publicUrl ?? `${isEncrypted(call) ? 'https' : 'http'}://${host}`
  const isOwn = sent !== undefined && (sent === own || isLocalName(sent))
  const origin = isOwn ? sent : own
  return { origin, isTls: origin.startsWith('https:') }
}

/** Throws 403 where a password or a session would cross a network without TLS. */
export function checkTls(call: Call, { origin, isTls }: SiteOrigin): void {
  if (isTls || (isLocalName(origin) && isLoopback(addressOf(call.c)))) return
  throw new ApiError(403, NO_TLS, 'tls_required')
}

function isEncrypted({ c: { env } }: Call): boolean {
  return (env as Environment | undefined)?.incoming?.socket?.encrypted === true
}

function isLocalName(origin: string): boolean {
  if (!URL.canParse(origin)) return false
  const { hostname } = new URL(origin)
  return hostname === 'localhost' || isLoopback(hostname.replace(/^\[|\]$/g, ''))
}

function isLoopback(address: string): boolean {
  const plain = address.replace(/^::ffff:(?=\d+\.)/, '')
  const family = isIP(plain)
  return family !== 0 && loopback.check(plain, family === 4 ? 'ipv4' : 'ipv6')
}
