/** Acts, each on disk together with what it changed. */
export const AUDIT_ACTS = [
  'sign_in',
  'sign_out',
  'sign_up',
  'operator_session',
  'admin_link',
  'password_changed',
  'recovery_link',
  'recovered',
  'session_ended',
  'key_made',
  'key_revoked',
  'passkey_added',
  'passkey_renamed',
  'passkey_removed',
  'account_made',
  'role_changed',
  'disabled',
  'enabled',
  'invited',
  'invitation_removed',
  'comment_hidden',
  'comment_shown',
  'announcement_published',
  'announcement_removed',
  'trading_suspended',
  'trading_resumed',
  'limits_changed',
] as const
/** Refusals, counted per minute and address. */
export const AUDIT_REFUSALS = [
  'sign_in_failed',
  'sign_in_slowed',
  'token_refused',
  'scope_missing',
  'other_user',
  'operator_only',
  'address_refused',
  'account_disabled',
] as const
export type Act = (typeof AUDIT_ACTS)[number]
export type AuditRefusal = (typeof AUDIT_REFUSALS)[number]
