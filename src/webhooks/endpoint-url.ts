import type { BlockList } from 'node:net'
import { isIP } from 'node:net'
import { isGlobalUnicast, isWithin } from './global-address.js'

const PORTS = ['', '443', '8443']
const LENGTH_MAX = 2048
/** Names of this machine or network. */
const LOCAL_NAME = /(?:^|\.)(?:localhost|localdomain|local|internal|home\.arpa|onion)\.?$/i

/**
 * Returns why no webhook may have this address; undefined if one may. Names are resolved at each delivery,
 * and may then be refused.
 */
export function urlFault(text: string, allowed: BlockList): string | undefined {
  if (text.length > LENGTH_MAX) return `url: Expected at most ${LENGTH_MAX} characters`
  if (!URL.canParse(text)) return 'url: Expected an address such as https://chat.example.org/hook'
  const url = new URL(text)
  if (url.username !== '' || url.password !== '') return 'url: Expected no user name and no password'
  if (url.hash !== '') return 'url: Expected no fragment'
  const fault = publicFault(url)
  if (fault === undefined || !['http:', 'https:'].includes(url.protocol)) return fault
  const host = hostOf(url)
  const mayBeOwn = isIP(host) === 0 ? allowed.rules.length > 0 : isWithin(allowed, host)
  return mayBeOwn ? undefined : fault
}

/** Returns why an address may only lead to the operator's own networks; undefined if it may lead anywhere. */
export function publicFault(url: URL): string | undefined {
  if (url.protocol !== 'https:') return 'url: Expected https'
  if (!PORTS.includes(url.port)) return 'url: Expected port 443 or 8443'
  const host = hostOf(url)
  const isLocal = isIP(host) === 0 ? LOCAL_NAME.test(host) || !host.includes('.') : !isGlobalUnicast(host)
  return isLocal ? 'url: Expected a public address, not one of this machine or network' : undefined
}

/** Returns the name or address of a URL, IPv6 without its brackets. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '')
}

/** Returns an address without what may be secret: chats put their tokens into paths and queries. */
export function maskedUrl(text: string): string {
  return `${new URL(text).origin}/…`
}

/** Parts of an address that are shorter are no secrets: they would be in any text. */
const SECRET_LENGTH_MIN = 6

/** Returns a text without the parts of an address that may be secret, which receivers may repeat. */
export function withoutSecrets(text: string, url: string): string {
  const { pathname, searchParams } = new URL(url)
  const parts = [...pathname.split('/'), ...searchParams.values()].flatMap(part => [part, decoded(part)])
  const secrets = parts.filter(part => part.length >= SECRET_LENGTH_MIN).sort((a, b) => b.length - a.length)
  return secrets.reduce((shown, secret) => shown.replaceAll(secret, '…'), text)
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
