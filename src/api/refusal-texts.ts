import type { ConversionRefusal } from '../core/conversion.js'
import { LIMITS } from './limits.js'
import type { DoorReason } from './reasons.js'

/** The messages of refusals that are the same whatever the request was. */
export const REFUSED = {
  addressNotPlain:
    'The address has . or .. segments, a backslash, a fragment or a broken percent-encoding: send it without',
  addressNotUtf8: 'The address is not UTF-8',
  amendmentKeyUsed: 'Idempotency-Key: Used for another amendment of this order',
  answersWait: 'Too many answers are waiting for their clients: try again in a moment',
  backupNotFound: 'Backup not found',
  backupSealed:
    'This exchange cannot read its encrypted backups: verify them with raay backup verify --identity',
  backupUnderWay: 'A backup is being made: wait for it',
  batchKeyUsed: 'Idempotency-Key: Used for another batch',
  batchOfSeveral: 'orders: Expected orders of one user in a batch with an Idempotency-Key',
  behind:
    'X-Min-Sequence: Not applied here within 2 s: try again in a moment, or ask the exchange that leads',
  bodyIncomplete: 'The body is incomplete',
  bodyNotJson: 'Content-Type: Expected application/json',
  bodyTooLarge: `Body is larger than ${LIMITS.bodyBytesMax} bytes`,
  cannotAnswer: 'The exchange could not answer this request',
  categoriesFull: `category: Expected one of the ${LIMITS.categoriesMax} in use`,
  notPromoted: 'The standby does not lead',
  clockTrusted: 'There is no jump of the clock to confirm',
  untilIsPast: 'until: Expected a time in the future',
  commentNotFound: 'Comment not found',
  connectionsFull: 'Too many connections: try again in a moment',
  crossSite:
    'Origin: Pages of other sites may only read. Set the address of the exchange with --public-url, ' +
    'and list other sites that may use it in --cors-origin',
  cursorUnknown: 'cursor: Expected the next_cursor of a page before',
  closesBeforeOpening: 'Expected a later time than opens_at, or more days',
  dateMissing: 'title: Expected {date}, so that each event of the schedule has a title of its own',
  endBeforeStart: 'Expected a time after start_date',
  eventExists: 'Event already exists',
  eventNotFound: 'Event not found',
  groupIndependent:
    'Group is independent: each of its events settles on its own, and no contracts are converted',
  groupNotFound: 'Group not found',
  groupOver: 'Group has a result: it can no longer be quoted',
  groupPreview:
    'Event is an outcome of an exclusive group, which is settled as a whole: it has no preview of its own',
  groupVoid: 'Event is an outcome of an exclusive group: only the whole group can be voided',
  outcomeUnknown: 'Expected events of the group, each once',
  winnerUnknown: 'winner: Expected the code of an event of the group, or void',
  headersTooLarge: 'The headers are too large',
  hostInvalid: 'Invalid host header',
  keysOfNobody: "The operator's key has no API keys of its own: name their user",
  logUnheard: 'This standby has not heard from its log yet',
  lengthMissing: 'The body has too many small chunks: send it with a Content-Length, or in larger chunks',
  malformedJson: 'Malformed JSON',
  maxBelowMin: 'Expected min_bet or more',
  notReplicated:
    'This is done, and in force. But the log on other machines has not acknowledged it: ' +
    'a take-over right now would undo it',
  notHttp: 'The request is not HTTP',
  pictureBodyTooLarge: `Body is larger than ${LIMITS.pictureBodyBytesMax} bytes`,
  pictureDamaged: 'picture: Expected a picture that can be read',
  pictureKind: 'picture: Expected PNG, JPEG or WebP',
  picturePixels: 'picture: Expected at most 4 million pixels',
  picturesBusy: 'Too many pictures are being made: try again in a moment',
  operatorOnly: 'Only operators may do this',
  otherUser: 'userid: Expected your own; only operators may act for others',
  orderNotFound: 'Order not found',
  quotesNotFound: 'House quotes not found: none have been funded here',
  quotesRunning: 'House quotes are running already: stop them first',
  seasonBegun: 'The season has begun: it can no longer be edited or deleted',
  seasonEndsEarly: 'Expected a time after starts_at',
  seasonInPast: 'starts_at: Expected a time in the future',
  seasonNotFound: 'Season not found',
  sequenceLost: 'X-Min-Sequence: A takeover lost this batch: read without it, and check what you wrote',
  seasonsFull: 'No more seasons can be created: there were 1,000',
  seasonsOverlap: 'Seasons do not overlap, and there is another one then',
  stakesTooLarge: 'stake: Expected less: all users together could not have as much',
  requestTimeout: 'The request took too long to arrive',
  tlsRequired: 'This needs https: nothing but reads is redirected from http',
  upgradeRequired: 'This is the WebSocket address: connect with the WebSocket protocol',
  signInClosed:
    'Sign-in is closed: the file of accounts is in doubt. Operators find the reason with raay doctor',
  roundsFull: 'House quotes have been funded 100 times here: no further ones can be',
  siteClosed: 'Nothing can be changed here for now: operators find the reason with raay doctor',
  socketTaken: 'The connection belongs to another user: open another connection',
  socketTokenMissing: 'Authenticate first: {"event":"authenticate","data":{"token":"…"}}',
  tokenInAddress:
    'Addresses end up in logs, so a token in an address is not accepted: send it in the header ' +
    'Authorization, as the subprotocol bearer.<token> beside raay, or in the message authenticate',
  tooManyInFlight: 'Too many requests are under way: wait for their answers',
  tooManyTokens: 'Too many tokens are being verified: try again in a moment',
  tokenMissing: 'Sign in, or send a token: Authorization: Bearer <token>',
  keyDisabled: 'The account of this API key is disabled',
  tokenWrong: 'The token is not valid: it is wrong, has expired or was revoked',
  conversionKeyUsed: 'client_order_id: Used for another conversion',
  orderKeyUsed: 'client_order_id: Used for another order',
  tooBusy: 'The exchange has more orders than it can take: try again in a moment',
  txnIdUsed: 'This txn_id names another transfer already: choose a new one',
  userNotFound: 'User not found',
  weekdaysMissing: 'Expected at least one weekday',
  templateNotFound: 'Template not found',
  sequenceUnreached: 'from_sequence: Expected the number of a batch from 1 to the next one',
  webhookNotFound: 'Webhook not found',
  webhooksFull: 'No more webhooks can be created: delete one first',
  webhookUnreadable: 'This exchange has no key for the webhook: give it its address and a new secret',
} as const

/** The messages of refused conversions, by reason. */
export const NOT_CONVERTED = {
  group_resolved: 'Group has a result: its contracts are no longer converted',
  group_not_open: 'Group is not open: contracts are built only while all its outcomes are open',
  outcome_resolved: 'An outcome has a result: leave it out, its contracts are no longer converted',
  contracts_insufficient: 'Too few free contracts: those that open orders sell are not converted',
  funds_insufficient: 'Too little money available',
  capacity_used: 'An outcome would exceed its quantity',
} as const satisfies Record<ConversionRefusal, string>

const HOST_SHOWN_MAX = 100

/** Returns the message for a Host header that is no name of the exchange. */
export function hostUnknown(host: string): string {
  const name = host.slice(0, HOST_SHOWN_MAX)
  return `Host: '${name}' is not a known name of this exchange; set it with --public-url or --allowed-host`
}

/** The messages of refusals for a bound that the exchange has reached, by reason. */
export const FULL = {
  not_leader: 'This exchange does not lead, and is for reads only: send this to the one that does',
  queue_full: 'The order queue is full: try again in a moment',
  accounts_full: 'No more money can be added: the money in all accounts has reached its limit',
  trading_suspended:
    'Trading is suspended for this account. Open orders can be cancelled; contact the operator',
  open_orders_full: 'You have as many open orders as you may have: cancel some first',
  codes_used_up: 'No more events can be created: all event codes are used',
  numbers_used_up:
    'This event takes no more orders: all its order numbers are used. Open orders can be cancelled',
  season_turn: 'A season begins: no orders, transfers and results until it has. Try again in a moment',
  user_id_taken: 'userid: Expected another; an existing one differs only in invisible characters',
  events_full: 'No more events can be created: settle or void some first',
  comments_full: 'This event takes no more comments from you: it has many, or you have 100 here',
  site_full: 'Nothing more can be saved here: the store of settings, watchlists and comments is full',
  templates_full: 'No more templates can be saved: delete some first',
  watchlist_full: `You watch ${LIMITS.watchlistMax} events: remove some first`,
  disk_low: 'The disk is almost full: only cancels and reads are possible until space is freed',
  disk_full: 'The disk is full: only reads are possible until space is freed',
  reads_full: 'Too many reads are waiting: try again in a moment',
  read_late: 'The read waited too long for its turn: try again in a moment',
} as const satisfies Partial<Record<DoorReason, string>>
