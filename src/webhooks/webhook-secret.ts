import { createHmac } from 'node:crypto'
import { secretBytes } from '../access/secrets.js'

const PREFIX = 'whsec_'
const BYTES = 32

/** Makes a secret as receivers enter it: `whsec_` and 32 bytes in base64. */
export function newWebhookSecret(): string {
  return PREFIX + secretBytes(BYTES).toString('base64')
}

/** A request that is about to be sent. */
export interface Unsigned {
  readonly id: string
  /** Seconds since 1970, of this attempt. */
  readonly timestamp: number
  readonly body: string
}

/** Returns the headers of Standard Webhooks, with a signature under each secret: two while they change. */
export function signedHeaders({ id, timestamp, body }: Unsigned, secrets: readonly string[]) {
  const signatures = secrets.map(secret => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
  })
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.join(' '),
  }
}
