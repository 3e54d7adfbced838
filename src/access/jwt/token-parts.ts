import { ApiError } from '../../api/api-error.js'

export type JsonObject = Readonly<Record<string, unknown>>

/** A token in the compact form of RFC 7515, `header.payload.signature`; nothing in it has been verified. */
export interface TokenParts {
  readonly token: string
  /** The header and the payload as they were signed. */
  readonly signed: string
  readonly signature: string
  /** Returns the claims. Throws 401; to be called once the signature has been verified. */
  readonly claims: () => JsonObject
}

const COMPACT = /^([\w-]+)\.([\w-]+)\.([\w-]+)$/
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Splits a token. Throws 401 unless it is signed with this algorithm. The keys in its header (`jwk`, `jku`,
 * `x5c`, `x5u`) are ignored, and extensions that must be understood (`crit`) are refused.
 */
export function tokenParts(token: string, algorithm: string): TokenParts {
  const [, header = '', payload = '', signature = ''] = COMPACT.exec(token) ?? []
  if (header === '') throw wrongToken('The token is not a signed JSON Web Token')
  const { alg, crit } = objectIn(header, 'header')
  if (alg !== algorithm) throw wrongToken(`The token must be signed with ${algorithm}`)
  if (crit !== undefined) throw wrongToken('The token requires an extension (crit) that is not supported')
  return {
    token,
    signed: token.slice(0, header.length + 1 + payload.length),
    signature,
    claims: () => objectIn(payload, 'payload'),
  }
}

/** Returns the refusal of a token that was never valid here. */
export function wrongToken(message: string): ApiError {
  return new ApiError(401, message, 'token_wrong')
}

function objectIn(base64url: string, part: string): JsonObject {
  let value: unknown
  try {
    value = JSON.parse(utf8.decode(Buffer.from(base64url, 'base64url')))
  } catch {
    value = undefined
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonObject
  throw wrongToken(`The token's ${part} is not a JSON object`)
}
