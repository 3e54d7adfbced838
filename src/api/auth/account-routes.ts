import { DONE } from '../answer-texts.js'
import { authAnswers } from './auth-answer.js'
import { accountListQuery, auditQuery } from './auth-query.js'
import { authSchemas } from './auth-schema.js'
import { authRoute } from './auth-route.js'
import { authSamples } from './auth-samples.js'
import type { Route } from '../route.js'
import { PAGE_FAULTS, RANGE } from '../route.js'

const { bodies, account, caller } = authSamples

/** Routes of passkeys, and those for admins: accounts, invitations, the audit log. */
export const accountRoutes = {
  listPasskeys: authRoute({
    ...{ id: 'listPasskeys', method: 'GET', path: '/auth/passkeys', needs: 'session' },
    summary: 'List your passkeys, newest first',
    message: DONE.passkeysFetched,
    answer: [authAnswers.passkeys, { passkeys: [authSamples.passkey] }],
  }),
  makePasskeyOptions: authRoute({
    ...{ id: 'makePasskeyOptions', method: 'POST', path: '/auth/passkeys/options', needs: 'session' },
    summary: 'Get the options for a new passkey',
    description: 'For `PublicKeyCredential.parseCreationOptionsFromJSON`; they are good for five minutes.',
    message: DONE.passkeyOptionsMade,
    answer: [authAnswers.options, authSamples.options],
    refused: ['provider_session', 'passkeys_full', 'passkeys_unavailable'],
  }),
  addPasskey: authRoute({
    ...{ id: 'addPasskey', method: 'POST', path: '/auth/passkeys', needs: 'session' },
    summary: 'Add a passkey',
    body: [authSchemas.passkey, bodies.passkey],
    code: 201,
    message: DONE.passkeyAdded,
    answer: [authAnswers.passkey, authSamples.passkey],
    refused: ['passkey_wrong', 'provider_session', 'passkeys_full', 'passkeys_unavailable'],
    invalid: ['name: Required'],
  }),
  renamePasskey: authRoute({
    ...{ id: 'renamePasskey', method: 'PATCH', path: '/auth/passkeys/:number', needs: 'session' },
    summary: 'Rename one of your passkeys',
    body: [authSchemas.passkeyName, { name: 'Phone' }],
    message: DONE.passkeyRenamed,
    answer: [authAnswers.passkey, { ...authSamples.passkey, name: 'Phone' }],
    refused: ['credential_not_found'],
    invalid: ['name: Required'],
  }),
  removePasskey: authRoute({
    ...{ id: 'removePasskey', method: 'DELETE', path: '/auth/passkeys/:number', needs: 'session' },
    revokes: true,
    summary: 'Remove one of your passkeys',
    message: DONE.passkeyRemoved,
    refused: ['credential_not_found'],
  }),
  makePasskeyLoginOptions: authRoute({
    ...{ id: 'makePasskeyLoginOptions', method: 'POST', path: '/auth/passkey-login/options', needs: 'visit' },
    cost: { kind: 'logins', points: 1 },
    summary: 'Get the options for signing in with a passkey',
    message: DONE.passkeyOptionsMade,
    answer: [authAnswers.options, authSamples.options],
    refused: ['passkeys_unavailable'],
  }),
  logInWithPasskey: authRoute({
    ...{ id: 'logInWithPasskey', method: 'POST', path: '/auth/passkey-login', needs: 'visit' },
    cost: { kind: 'logins', points: 1 },
    summary: 'Sign in with a passkey',
    body: [authSchemas.passkeyLogin, bodies.passkeyLogin],
    message: DONE.signedIn,
    answer: [authAnswers.caller, { caller }],
    setsCookie: true,
    refused: ['passkey_wrong', 'password_off', 'account_disabled', 'passkeys_unavailable'],
    invalid: ['response: Required'],
  }),
  listAccounts: authRoute({
    ...{ id: 'listAccounts', method: 'GET', path: '/auth/users', needs: 'operator:read', inEveryMode: true },
    summary: 'List accounts by name',
    description: 'A search reads 10,000 accounts a page: a page may be short or empty and still have a next.',
    query: accountListQuery,
    querySample: { q: 'ash', role: 'trader', state: 'enabled', limit: 100, cursor: 'YXNoYQ' },
    message: DONE.accountsFetched,
    answer: [authAnswers.accounts, { users: [account], next_cursor: null }],
    invalid: PAGE_FAULTS,
  }),
  createAccount: authRoute({
    ...{ id: 'createAccount', method: 'POST', path: '/auth/users', needs: 'admin' },
    summary: 'Create an account',
    body: [authSchemas.account, bodies.account],
    code: 201,
    message: DONE.accountMade,
    answer: [authAnswers.account, account],
    refused: ['name_taken'],
    invalid: ['name: Expected 2 to 32 characters', 'role: Required'],
  }),
  changeRole: change(
    'changeRole',
    'role',
    'Change the role of an account',
    'Its sockets close, and open with the new rights.',
  ),
  disableAccount: change(
    'disableAccount',
    'disable',
    'Disable an account',
    'Ends its sessions; its keys are refused.',
  ),
  enableAccount: change('enableAccount', 'enable', 'Enable an account again', 'Its keys work again.'),
  makeRecoveryLink: authRoute({
    ...{ id: 'makeRecoveryLink', method: 'POST', path: '/auth/users/:name/recovery', needs: 'admin' },
    summary: 'Make a link that sets a new password once, within a day',
    code: 201,
    message: DONE.recoveryLinkMade,
    answer: [authAnswers.link, authSamples.link],
    refused: ['user_not_found', 'account_disabled'],
  }),
  listInvitations: authRoute({
    ...{ id: 'listInvitations', method: 'GET', path: '/auth/invitations', needs: 'admin' },
    summary: 'List open invitations, newest first',
    message: DONE.invitationsFetched,
    answer: [authAnswers.invitations, { invitations: [authSamples.invitation] }],
  }),
  makeInvitation: authRoute({
    ...{ id: 'makeInvitation', method: 'POST', path: '/auth/invitations', needs: 'admin' },
    summary: 'Invite someone to sign up',
    description: 'With `name`, also a user id that exists can be claimed. The link works once.',
    body: [authSchemas.invitation, bodies.invitation],
    code: 201,
    message: DONE.invitationMade,
    answer: [
      authAnswers.madeInvitation,
      { ...authSamples.invitation, url: 'https://raay.example/sign-up#invitation=ri_…' },
    ],
    refused: ['name_taken', 'invitations_full'],
    invalid: ['expires_at: Expected a time within the next 90 days'],
  }),
  withdrawInvitation: authRoute({
    ...{ id: 'withdrawInvitation', method: 'DELETE', path: '/auth/invitations/:number', needs: 'admin' },
    revokes: true,
    summary: 'Withdraw an invitation',
    message: DONE.invitationWithdrawn,
    refused: ['credential_not_found'],
  }),
  listAudit: authRoute({
    ...{ id: 'listAudit', method: 'GET', path: '/auth/audit', needs: 'operator:read', inEveryMode: true },
    summary: 'List the audit log of access, newest first',
    description: 'A search reads 20,000 lines a page: a page may be short or empty and still have a next.',
    query: auditQuery,
    querySample: { ...RANGE.sample, q: 'asha', kind: 'role_changed', limit: 100, cursor: '40' },
    message: DONE.auditFetched,
    answer: [authAnswers.audit, { lines: [authSamples.auditLine], next_cursor: null }],
    invalid: [...RANGE.faults, ...PAGE_FAULTS],
  }),
}

function change<const Verb extends 'role' | 'disable' | 'enable'>(
  id: string,
  verb: Verb,
  summary: string,
  description: string,
): Route<`/auth/users/:name/${Verb}`> {
  return authRoute({
    ...{ id, method: 'POST', path: `/auth/users/:name/${verb}`, needs: 'admin', summary, description },
    ...(verb !== 'enable' && { revokes: true as const }),
    ...(verb === 'role' && { body: [authSchemas.role, bodies.role] as const, invalid: ['role: Required'] }),
    message: DONE.accountChanged,
    answer: [authAnswers.account, { ...account, ...(verb === 'role' && { role: 'operator' }) }],
    refused: ['user_not_found', ...(verb === 'enable' ? [] : ['last_admin' as const])],
  })
}
