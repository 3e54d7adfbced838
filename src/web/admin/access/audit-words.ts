/** Audit kinds in words, in the order of the filter. */
export const AUDIT_WORDS: Readonly<Record<string, string>> = {
  sign_in: 'Signed in',
  sign_out: 'Signed out',
  sign_up: 'Signed up',
  operator_session: 'Operator signed in',
  admin_link: 'Admin link made',
  password_changed: 'Password changed',
  recovery_link: 'Recovery link made',
  recovered: 'Password recovered',
  session_ended: 'Session ended',
  key_made: 'API key made',
  key_revoked: 'API key revoked',
  passkey_added: 'Passkey added',
  passkey_removed: 'Passkey removed',
  account_made: 'Account made',
  role_changed: 'Role changed',
  disabled: 'Account disabled',
  enabled: 'Account enabled',
  invited: 'Invitation made',
  invitation_removed: 'Invitation withdrawn',
  comment_hidden: 'Comment hidden',
  comment_shown: 'Comment shown again',
  sign_in_failed: 'Sign-in failed',
  sign_in_slowed: 'Sign-in slowed',
  token_refused: 'Token refused',
  scope_missing: 'Scope missing',
  other_user: 'Refused for another user',
  operator_only: 'Refused to a non-operator',
  address_refused: 'Address refused',
  account_disabled: 'Disabled account refused',
}

/** Returns a kind in words; one of a newer exchange as it is. */
export function auditWords(kind: string): string {
  return AUDIT_WORDS[kind] ?? kind
}
