/** Every limit that clients are told of, once. */
export const LIMITS = {
  /** Of a request over HTTP. */
  bodyBytesMax: 100 * 1024,
  pageLengthDefault: 100,
  pageLengthMax: 1000,
  /** Orders or cancels of one batch. */
  batchLengthMax: 100,
  /** Orders that one answer shows when all are cancelled; the list of orders has the rest. */
  cancelledShownMax: 1000,
  candlesMax: 1000,
  userIdLengthMax: 128,
  orderNameLengthMax: 64,
  txnIdLengthMax: 128,
  sourceUrlLengthMax: 2048,
  noteLengthMax: 1000,
  /** Codes or user ids that one WebSocket request names. */
  channelNamesMax: 100,
  /** Open orders that the snapshot of a user's channel lists. */
  snapshotOrdersMax: 1000,
  /** Channels that one connection follows, and all connections together. */
  channelsMax: { events: 1000, users: 100, eventsInAll: 500_000, usersInAll: 200_000 },
} as const
