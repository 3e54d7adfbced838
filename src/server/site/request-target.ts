import type { IncomingMessage } from 'node:http'
import { REFUSED } from '../../api/refusal-texts.js'
import type { DoorRefusal } from './site-door.js'

/** A target in full, such as `http://host/path?query`. */
const FULL = /^https?:\/\/([^/?#]*)(.*)$/is
/** Matches targets that may have several readings; most have one. */
const DOUBTFUL = /[%\\#]|\/\./
const PATH_END = /[?#]/
const DOT_SEGMENT = /\/\.\.?(?:\/|$)/
const BROKEN_PERCENT = /%(?![\da-f]{2})/i
/** Matches percent-encoded letters, digits, `-`, `.`, `_` and `~`: they mean the same (RFC 3986, 2.3). */
const UNRESERVED = /%(?:2[de]|3\d|4[1-9a-f]|5[\daf]|6[1-9a-f]|7[\dae])/gi

const NOT_PLAIN: DoorRefusal = [400, REFUSED.addressNotPlain, 'address_invalid']
const NOT_UTF8: DoorRefusal = [400, REFUSED.addressNotUtf8, 'not_utf8']

/**
 * Gives a request the one address that everything after it reads: a path without needless percent-encoding,
 * and its query. The host of a target in full takes the place of the `Host` header (RFC 9112, 3.2.2). Returns
 * the refusal of an address that another reader could take for a different one.
 */
export function settleTarget(request: IncomingMessage): DoorRefusal | undefined {
  const { url = '' } = request
  if (url.startsWith('/') && !DOUBTFUL.test(url)) return undefined
  const [, host, rest] = FULL.exec(url) ?? []
  const target = rest === undefined ? url : rest.startsWith('/') ? rest : `/${rest}`
  const end = target.search(PATH_END)
  const path = (end < 0 ? target : target.slice(0, end)).replace(UNRESERVED, decodeURIComponent)
  const query = end < 0 ? '' : target.slice(end)
  if (query.includes('#') || path.includes('\\') || DOT_SEGMENT.test(path)) return NOT_PLAIN
  if (BROKEN_PERCENT.test(path)) return NOT_PLAIN
  if (!isUtf8(path)) return NOT_UTF8

  // After this point the address is the one that everything reads.
  request.url = path + query
  if (host !== undefined) nameHost(request, host)
  return undefined
}

function isUtf8(path: string): boolean {
  try {
    decodeURIComponent(path)
    return true
  } catch {
    return false
  }
}

/** Puts a name into the `Host` header, wherever the app may look for it. */
function nameHost({ headers, rawHeaders }: IncomingMessage, host: string): void {
  headers.host = host
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.toLowerCase() === 'host') rawHeaders[index + 1] = host
  }
}
