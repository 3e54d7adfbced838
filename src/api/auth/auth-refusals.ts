import type { ErrorCode } from '../errors.js'
import type { DoorReason } from '../reasons.js'
import { REFUSED } from '../refusal-texts.js'

/** Refusals of accounts and their credentials that are the same whatever the request was, by reason. */
export const AUTH_REFUSED = {
  accounts_off: [404, 'There are no accounts: start the exchange with --auth accounts'],
  account_disabled: [403, 'The account is disabled: ask the operator'],
  admin_only: [403, 'Only admins may do this, signed in or with the operator key'],
  code_wrong: [403, 'The code is wrong, used or expired: make another with raay admin link'],
  credential_not_found: [404, 'There is no such session, key, passkey or invitation'],
  group_missing: [403, 'You are in none of the groups that may sign in here: ask the operator'],
  identity_taken: [409, 'This account or that identity is linked to another one already'],
  identity_needed: [409, 'Nothing else remains to sign in with: get a password or a passkey first'],
  invitation_missing: [403, 'invitation: Required; ask the operator for one'],
  invitation_wrong: [403, 'The invitation is wrong, used or expired: ask for another'],
  invitations_full: [409, 'Too many invitations are open: withdraw some first'],
  keys_full: [409, 'The account has 25 API keys: revoke one first'],
  last_admin: [409, 'This is the last admin: make another account admin first'],
  name_taken: [409, 'name: Taken; choose another, or ask the operator for an invitation if it is yours'],
  passkey_wrong: [401, 'The passkey is not one of an account here, or the request took too long: try again'],
  passkeys_unavailable: [409, 'Passkeys do not work at this address'],
  passkeys_full: [409, 'The account has 10 passkeys: remove one first'],
  password_off: [403, 'Only the last admin signs in with a password or passkey here: use the provider'],
  provider_down: [503, 'The identity provider cannot be reached: try again in a moment'],
  provider_off: [404, 'There is no identity provider: start the exchange with --oidc-issuer'],
  provider_refused: [403, 'The identity provider did not sign you in: try again'],
  provider_session: [403, 'Sign in without the identity provider to add a passkey: it would outlive it'],
  recovery_wrong: [403, 'The link is wrong, used or expired: ask the operator for another'],
  session_needed: [403, 'Only signed-in people may do this, not API keys or tokens'],
  sign_in_failed: [401, 'Wrong name or password'],
  state_wrong: [403, 'The sign-in took too long, or began in another browser: begin again'],
  user_not_found: [404, REFUSED.userNotFound],
  users_full: [503, 'No more accounts can be created: their limit is reached'],
  busy: [503, 'Too many people are signing in: try again in a moment'],
} as const satisfies Partial<Record<DoorReason, readonly [ErrorCode, string]>>

export type AuthRefusal = keyof typeof AUTH_REFUSED
