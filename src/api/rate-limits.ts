/** A token bucket per user, per credential (a session, key or token) and per address (IPv6: per /64). */
export interface RateLimit {
  /** The name of the cost in messages. */
  readonly unit: string
  /** The time in which an empty bucket fills. */
  readonly windowSeconds: number
  /** The sizes of the buckets; undefined for none. */
  readonly user?: number
  readonly credential?: number
  readonly address?: number
}

/**
 * How much users, their credentials and addresses may ask for. A page needs a hundredth of it; a program gets
 * what a careful market maker needs; one user in a hurry costs others nothing they would notice. A credential
 * has four fifths of its user's share, so that a runaway bot leaves its owner enough to stop it. An address
 * has twice a user's share, for those behind one router.
 */
export const RATE_LIMITS = {
  /** Each order of a batch counts. 50 a second requote 25 markets on both sides each second. */
  orders: { unit: 'orders', windowSeconds: 10, user: 500, credential: 400, address: 1000 },
  /** Twice as many, so that what has been placed can always be withdrawn. */
  cancels: { unit: 'cancels', windowSeconds: 10, user: 1000, credential: 800, address: 2000 },
  /** A page is about 30 requests; see READ_COSTS for those that count more than once. */
  reads: { unit: 'reads', windowSeconds: 10, user: 1000, credential: 800, address: 2000 },
  /** A conversation, not a flood. */
  comments: { unit: 'comments', windowSeconds: 600, user: 20, credential: 16, address: 100 },
  /** Answers over HTTP, charged once they are sent: a megabyte a second. */
  bytes_out: {
    unit: 'bytes',
    windowSeconds: 60,
    user: 60_000_000,
    credential: 48_000_000,
    address: 120_000_000,
  },
  /** Time of the one reader of histories, charged afterwards: a fifth of it for one user. */
  history: {
    unit: 'history time in ms',
    windowSeconds: 10,
    user: 2000,
    credential: 1600,
    address: 4000,
  },
  /** Points of WebSocket requests, as a connection counts them: a thousand books a minute. */
  snapshots: {
    unit: 'subscriptions',
    windowSeconds: 60,
    user: 50_000,
    credential: 40_000,
    address: 100_000,
  },
  /** A classroom behind one router; each costs a password hash of 0.1 s. */
  sign_ups: { unit: 'sign-ups', windowSeconds: 3600, address: 30 },
  /** Failed and successful ones; guesses at one name are slowed apart from this. */
  logins: { unit: 'sign-ins', windowSeconds: 600, address: 60 },
} as const satisfies Readonly<Record<string, RateLimit>>

export type LimitKind = keyof typeof RATE_LIMITS
