/** The limits of requests, answers and values that clients can run into, each defined once. */
export const LIMITS = {
  /** For a request over HTTP. */
  bodyBytesMax: 100 * 1024,
  /** The text of a page, whatever its rows. */
  pageBytesMax: 1_000_000,
  /** The same for groups: a thousand outcomes, as many as a page of events has. */
  groupsPageBytesMax: 200_000,
  pageLengthDefault: 100,
  pageLengthMax: 1000,
  /** Orders or cancels in one batch. */
  batchLengthMax: 100,
  /** Open orders of a user who has signed in or has a token. */
  openOrdersMax: 2000,
  /** Orders shown in the answer to cancelling all; the list of orders has the rest. */
  cancelledShownMax: 1000,
  /** Quotes that are replaced together, and the name of a set of quotes. */
  quotesMax: 40,
  quoteSetLengthMax: 32,
  candlesMax: 1000,
  /** The time of a timer that cancels orders, if it is not switched off. */
  timerSecondsMin: 5,
  timerSecondsMax: 300,
  /** Points of a portfolio's performance. */
  performancePointsMax: 400,
  /** Levels of a book, on each side. */
  bookDepthMax: 10_000,
  /** Codes that a list of events is limited to. */
  eventIdsMax: 200,
  /** Words of a search. */
  searchLengthMax: 200,
  titleLengthMax: 300,
  descriptionLengthMax: 10_000,
  sotLengthMax: 100,
  categoryLengthMax: 40,
  /** Of an uploaded picture. */
  pictureBytesMax: 2_000_000,
  /** Of a request that uploads one: base64 takes a third more. */
  pictureBodyBytesMax: 2_700_000,
  /** Categories of all events together. */
  categoriesMax: 100,
  /** Of an event's own link; the resolution has another bound. */
  eventSourceLengthMax: 500,
  /** In rupees; of each winning contract. */
  payoutMax: 100,
  seasonNameLengthMax: 60,
  /** In rupees. */
  stakeMax: 10_000_000,
  /** Outcomes of a group of events. */
  outcomesMin: 2,
  outcomesMax: 100,
  /** In rupees; of all accounts together, and so of one transfer. */
  transferMax: 900_000_000_000,
  userIdLengthMax: 128,
  orderNameLengthMax: 64,
  txnIdLengthMax: 128,
  sourceUrlLengthMax: 2048,
  noteLengthMax: 1000,
  /** Settings of a user, and characters of one that is text. */
  settingsMax: 50,
  settingLengthMax: 200,
  /** Characters and lines of a comment. */
  commentLengthMax: 1000,
  commentLinesMax: 40,
  /** Characters of an announcement, in each language. */
  announcementLengthMax: 280,
  /** Events on a user's watchlist. */
  watchlistMax: 200,
  /** The name of a template of events, and the days that its events last. */
  templateNameLengthMax: 60,
  templateDaysMax: 365,
  /** How long before its opening a schedule creates an event, and how many it may create. */
  scheduleHoursBeforeMax: 168,
  scheduleEventsMax: 10_000,
  /** The `id` of a WebSocket request. */
  requestIdLengthMax: 128,
  /** Of a session, an API key or an identity provider's token. */
  tokenLengthMax: 8192,
  /** Codes or user ids in one WebSocket request. */
  channelNamesMax: 100,
  /** Open orders in the snapshot of a user's channel. */
  snapshotOrdersMax: 1000,
  /** Positions in it. */
  snapshotPositionsMax: 10_000,
  /** Channels per connection, and across all connections. */
  channelsMax: { events: 1000, users: 100, eventsInAll: 500_000, usersInAll: 200_000 },
} as const
