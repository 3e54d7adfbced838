/** The limits of requests, answers and values that clients can run into, each defined once. */
export const LIMITS = {
  /** For a request over HTTP. */
  bodyBytesMax: 100 * 1024,
  /** The text of a page, whatever its rows. */
  pageBytesMax: 1_000_000,
  pageLengthDefault: 100,
  pageLengthMax: 1000,
  /** Orders or cancels in one batch. */
  batchLengthMax: 100,
  /** Orders shown in the answer to cancelling all; the list of orders has the rest. */
  cancelledShownMax: 1000,
  candlesMax: 1000,
  /** Levels of a book, on each side. */
  bookDepthMax: 10_000,
  /** Words of a search. */
  searchLengthMax: 200,
  titleLengthMax: 300,
  descriptionLengthMax: 10_000,
  sotLengthMax: 100,
  /** In rupees; of each winning contract. */
  payoutMax: 100,
  /** In rupees; of all accounts together, and so of one transfer. */
  transferMax: 900_000_000_000,
  userIdLengthMax: 128,
  orderNameLengthMax: 64,
  txnIdLengthMax: 128,
  sourceUrlLengthMax: 2048,
  noteLengthMax: 1000,
  /** The `id` of a WebSocket request. */
  requestIdLengthMax: 128,
  /** Codes or user ids in one WebSocket request. */
  channelNamesMax: 100,
  /** Open orders in the snapshot of a user's channel. */
  snapshotOrdersMax: 1000,
  /** Channels per connection, and across all connections. */
  channelsMax: { events: 1000, users: 100, eventsInAll: 500_000, usersInAll: 200_000 },
} as const

/** The limits of connections over WebSocket and Socket.IO. */
export const SOCKET_LIMITS = {
  /** A message, or the body of a poll. */
  messageBytesMax: 64 * 1024,
  connectionsMax: 20_000,
  /** The request budget: a name costs a point, an error ten, each KiB of a snapshot one more. */
  asking: { points: 5000, pointsPerSecond: 500 },
  /** Refusals for asking too much, before the connection is closed. */
  refusals: { points: 500, pointsPerSecond: 50 },
  /** Messages of a connection that wait for their answer, and the characters of these, also of all. */
  waitingMax: { messages: 1024, chars: 256 * 1024, charsInAll: 64 * 1024 * 1024 },
  /** Messages of an event's channel that can be replayed. */
  replayedMax: 1024,
  /** Above the first a connection gets no more channel messages; above the second it is closed. */
  unsentBytesMax: { congested: 256 * 1024, closed: 1024 * 1024 },
} as const
