import type { S3Place } from './s3-place.js'
import { addressOf } from './s3-place.js'

/** A request that a store refused or did not answer; the message is for the operator, without secrets. */
export class S3Fault extends Error {
  override readonly name = 'S3Fault'
  /** Undefined if there was no answer. */
  readonly status: number | undefined
  /** The store's code, such as `NoSuchKey`. */
  readonly code: string | undefined

  constructor(message: string, status?: number, code?: string) {
    super(message)
    this.status = status
    this.code = code
  }

  /** True if the same request may succeed a moment later. */
  get isPassing(): boolean {
    return this.status === undefined || this.status >= 500 || this.status === 429 || this.status === 408
  }
}

const CODE = /<Code>([A-Za-z0-9.]{1,64})<\/Code>/
const SKEW = 'RequestTimeTooSkewed'

/** The words for a store's codes. */
const ADVICE: Readonly<Record<string, string>> = {
  SignatureDoesNotMatch: 'the secret does not belong to the key id, or the region is another',
  InvalidAccessKeyId: 'it does not know the key id',
  AccessDenied: 'the key lacks the permission; it needs to list, read, write and delete there',
  AllAccessDisabled: 'the bucket is disabled',
  NoSuchBucket: 'there is no such bucket',
  NotFound: 'there is no such bucket',
  PermanentRedirect: 'the bucket is in another region or at another endpoint',
  AuthorizationHeaderMalformed: 'the region is another',
  EntityTooLarge: 'the file is too large for it',
  InvalidObjectState: 'the file was moved to an archive class: bring it back first',
}

/** The shape of an error that the client of the store throws, or `fetch`. */
interface Thrown {
  readonly status?: number
  readonly body?: string
  readonly serviceCode?: string
  readonly name?: string
  readonly code?: unknown
  readonly cause?: Thrown
}

/**
 * Puts an error in words of our own: those of others may repeat headers and signatures.
 *
 * @param clockMs how far this machine's clock is ahead of the store's, if its last answer said
 */
export function faultOf(place: S3Place, error: unknown, clockMs: number | undefined): S3Fault {
  const thrown = error as Thrown
  const where = `${addressOf(place)} at ${place.endpoint}`
  if (typeof thrown.status !== 'number') return new S3Fault(`${where} does not answer (${reasonOf(thrown)})`)
  const { status, body = '', serviceCode } = thrown
  const code = CODE.exec(body)?.[1] ?? (serviceCode === 'Unknown' ? undefined : serviceCode)
  const advice = code === SKEW ? clockAdvice(clockMs) : ADVICE[code ?? '']
  const what = code === undefined ? String(status) : `${status} ${code}`
  return new S3Fault(`${where} refuses (${what})${advice === undefined ? '' : `: ${advice}`}`, status, code)
}

function clockAdvice(clockMs: number | undefined): string {
  const advice = 'set the clock of this machine right'
  if (clockMs === undefined) return `the two clocks differ too much: ${advice}`
  const minutes = Math.round(Math.abs(clockMs) / 60_000)
  const place = clockMs > 0 ? 'ahead of' : 'behind'
  return `this machine's clock is ${minutes} minutes ${place} its own: ${advice}`
}

/** Returns `ECONNREFUSED` or `timeout`; `fetch` gives the reason as the cause of its own error. */
function reasonOf({ name, code, cause }: Thrown): string {
  if (name === 'TimeoutError') return 'timeout'
  const known = [code, cause?.code].find(text => typeof text === 'string' && /^[A-Z0-9_]{1,40}$/.test(text))
  return typeof known === 'string' ? known : 'the connection failed'
}
