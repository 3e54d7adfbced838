import type { CancelReason, Refusal } from '../core/order.js'
import type { ErrorCode } from './errors.js'

/**
 * Reasons for refusing a request, for programs: the header `Raay-Reason`, and the field `reason` of WebSocket
 * errors and batch results. Names are never renamed or removed. Refusals by the market itself use the reasons
 * of orders.
 */
export const REFUSAL_REASONS = {
  not_http: [400, 'The request is not HTTP, names no host, or asks for an unknown upgrade'],
  malformed_json: [400, 'The body or the message is not JSON'],
  not_utf8: [400, 'The percent-encoded address is not UTF-8'],
  body_incomplete: [400, 'The body is incomplete'],
  token_missing: [401, 'The request needs a token or a session'],
  token_wrong: [401, 'The token is wrong or was revoked'],
  token_expired: [401, 'The token has expired'],
  sign_in_failed: [401, 'The name or the password is wrong'],
  passkey_wrong: [401, 'The passkey is unknown, or what it signed is not valid'],
  operator_only: [403, 'Only operators may do this'],
  admin_only: [403, 'Only admins may do this'],
  session_needed: [403, 'Only signed-in people may do this, not API keys'],
  scope_missing: [403, 'The key or role lacks a scope, which the message names'],
  other_user: [403, 'Only the user themselves or an operator may do this'],
  address_refused: [403, 'The API key is bound to other addresses'],
  account_disabled: [403, 'The account is disabled'],
  trading_suspended: [403, 'An operator has suspended the trading of the user; cancels are possible'],
  invitation_missing: [403, 'Sign-up needs an invitation'],
  invitation_wrong: [403, 'The invitation is wrong, used or expired'],
  recovery_wrong: [403, 'The recovery link is wrong, used or expired'],
  code_wrong: [403, 'The code is wrong, used or expired'],
  cross_site: [403, 'A page of another site may not do this in a browser'],
  tls_required: [403, 'This needs https'],
  route_not_found: [404, 'No route has this path'],
  event_not_found: [404, 'No event has this code'],
  order_not_found: [404, 'No order has this id or client_order_id'],
  backup_not_found: [404, 'No backup has this name'],
  comment_not_found: [404, 'The event has no such comment of this user'],
  user_not_found: [404, 'The user has no account yet'],
  accounts_off: [404, 'The exchange runs without accounts'],
  credential_not_found: [404, 'There is no such session, key, passkey or invitation'],
  method_not_allowed: [405, 'The path does not support this method; see Allow'],
  request_timeout: [408, 'The request took too long to arrive'],
  event_exists: [409, 'Another event has this title or the same slug'],
  name_taken: [409, 'Another account or user has this name'],
  last_admin: [409, 'The last admin can be neither demoted nor disabled'],
  keys_full: [409, 'The account has reached its limit of API keys'],
  passkeys_full: [409, 'The account has reached its limit of passkeys'],
  passkeys_unavailable: [409, 'Passkeys do not work at this address; the message says why'],
  invitations_full: [409, 'The limit of open invitations is reached'],
  event_state: [409, 'The state of the event does not allow it'],
  order_ended: [409, 'The order is no longer open'],
  socket_taken: [409, 'The connection belongs to another user'],
  key_used: [409, 'The client_order_id or Idempotency-Key was used with another body'],
  txn_id_used: [409, 'The txn_id names another transfer'],
  open_orders_full: [409, 'The user has as many open orders as they may have; nothing was queued'],
  accounts_full: [409, 'The money in all accounts would exceed its limit; nothing was queued'],
  comments_full: [409, 'The event, or the user there, has reached its limit of comments'],
  watchlist_full: [409, 'The watchlist has reached its limit of events'],
  clock_trusted: [409, 'There is no jump of the clock to confirm'],
  backup_sealed: [409, 'The exchange has no key that opens its encrypted backups'],
  backup_under_way: [409, 'Another backup is being made'],
  body_too_large: [413, 'The body is larger than 100 KiB'],
  body_not_json: [415, 'A browser sent a body that is not JSON'],
  host_unknown: [421, 'The Host header names another server than this one'],
  validation: [422, 'A field or parameter is invalid; the message names it'],
  parameter_unknown: [422, 'The route takes no query parameter of this name'],
  user_id_taken: [422, 'Another user id differs from it only in invisible characters'],
  upgrade_required: [426, 'The address accepts WebSocket only'],
  channels_full: [429, 'The connection or its user has reached its limit of channels'],
  sockets_full: [429, 'The user has reached the limit of connections'],
  too_many_requests: [429, 'The connection, user, key or address has reached a limit; see Retry-After'],
  headers_too_large: [431, 'The headers are too large'],
  internal: [500, 'Internal error'],
  backup_failed: [500, 'The backup could not be written'],
  users_full: [503, 'The limit of accounts is reached'],
  queue_full: [503, 'The order queue is full; nothing was queued'],
  events_full: [503, 'The limit of events that are neither settled nor voided is reached'],
  reads_full: [503, 'Too many history reads are waiting; nothing was read'],
  read_late: [503, 'The read waited too long for its turn; nothing was read'],
  disk_low: [503, 'The disk is almost full: only cancels and reads are possible; nothing was queued'],
  disk_full: [503, 'The disk is full: only reads are possible; nothing was queued'],
  site_full: [503, 'The store of settings, watchlists and comments has reached its limit'],
  codes_used_up: [503, 'All event codes are used'],
  subscriptions_full: [503, 'The limit of channels across all connections is reached'],
  connections_full: [503, 'The limit of connections is reached, in all or from one address'],
  outbox_full: [503, 'Too many answers are waiting for their clients'],
  requests_full: [503, 'Too many requests are in progress, in all or on one connection'],
  keys_unknown: [503, 'The keys of the identity provider cannot be read; nothing was done'],
  busy: [503, 'The exchange is too busy, or is stopping; nothing was done'],
} as const satisfies Readonly<Record<string, readonly [ErrorCode, string]>>

/** Reason for which a request was not accepted. */
export type DoorReason = keyof typeof REFUSAL_REASONS
/** Reason for which a request was refused, by the API or by the market. */
export type RefusalReason = DoorReason | Refusal | CancelReason

const BY_CODE: Readonly<Record<ErrorCode, DoorReason>> = {
  400: 'not_http',
  401: 'token_missing',
  403: 'operator_only',
  404: 'route_not_found',
  405: 'method_not_allowed',
  408: 'request_timeout',
  409: 'event_state',
  413: 'body_too_large',
  415: 'body_not_json',
  421: 'host_unknown',
  422: 'validation',
  426: 'upgrade_required',
  429: 'too_many_requests',
  431: 'headers_too_large',
  500: 'internal',
  503: 'busy',
}

/** Returns the default reason for an error code. */
export function reasonOfCode(code: ErrorCode): DoorReason {
  return BY_CODE[code]
}
