/** The limits of connections over WebSocket and Socket.IO. */
export const SOCKET_LIMITS = {
  /** A message, or the body of a poll. */
  messageBytesMax: 64 * 1024,
  connectionsMax: 20_000,
  /** Connections of one user, and the channels of all of these. */
  perUserMax: { connections: 100, channels: 5000 },
  /** Connections from one address, where addresses are limited: of all users together, and without a user. */
  perAddressMax: { users: 200, strangers: 100 },
  /** How long a connection that needs a user may stay without one. */
  anonymousMsMax: 5000,
  /** Refused tokens before a connection is closed. */
  refusedTokensMax: 5,
  /** Tokens whose verification waits for something, such as the identity provider's keys. */
  verificationsMax: 256,
  /** The request budget: a name costs a point, an error ten, each KiB of a snapshot one more. */
  asking: { points: 5000, pointsPerSecond: 500 },
  /** Refusals for asking too much, before the connection is closed. */
  refusals: { points: 500, pointsPerSecond: 50 },
  /** Messages of a connection that wait for their answer, and the characters of these, also of all. */
  waitingMax: { messages: 1024, chars: 256 * 1024, charsInAll: 64 * 1024 * 1024 },
  /** Orders and cancels without an answer yet, each of a batch: of a connection, and of all. */
  inFlightMax: { connection: 1000, inAll: 100_000 },
  /** Messages of an event's channel that can be replayed. */
  replayedMax: 1024,
  /** Above the first a connection gets no more channel messages; above the second it is closed. */
  unsentBytesMax: { congested: 256 * 1024, closed: 1024 * 1024 },
} as const
