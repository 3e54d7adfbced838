import { DONE } from '../../api/answer-texts.js'
import { authAnswers } from '../../api/auth/auth-answer.js'
import { accountListQuery, auditQuery } from '../../api/auth/auth-query.js'
import { authSchemas } from '../../api/auth/auth-schema.js'
import { authOperation } from './auth-operation.js'
import { authSamples } from './auth-samples.js'
import type { Operation } from './operation.js'
import { PAGE_FAULTS, RANGE } from './operation.js'

const { bodies, account, caller } = authSamples

/** Operations about passkeys, and those of admins: accounts, invitations, the audit log. */
export const accountOperations: readonly Operation[] = [
  authOperation({
    ...{ id: 'listPasskeys', method: 'get', path: '/auth/passkeys', callers: 'session' },
    summary: 'List your passkeys, newest first',
    message: DONE.passkeysFetched,
    answer: [authAnswers.passkeys, { passkeys: [authSamples.passkey] }],
  }),
  authOperation({
    ...{ id: 'makePasskeyOptions', method: 'post', path: '/auth/passkeys/options', callers: 'session' },
    summary: 'Get the options for a new passkey',
    description: 'For `PublicKeyCredential.parseCreationOptionsFromJSON`; they are good for five minutes.',
    message: DONE.passkeyOptionsMade,
    answer: [authAnswers.options, authSamples.options],
    refused: ['passkeys_full', 'passkeys_unavailable'],
  }),
  authOperation({
    ...{ id: 'addPasskey', method: 'post', path: '/auth/passkeys', callers: 'session' },
    summary: 'Add a passkey',
    body: [authSchemas.passkey, bodies.passkey],
    code: 201,
    message: DONE.passkeyAdded,
    answer: [authAnswers.passkey, authSamples.passkey],
    refused: ['passkey_wrong', 'passkeys_full', 'passkeys_unavailable'],
    invalid: ['name: Required'],
  }),
  authOperation({
    ...{ id: 'renamePasskey', method: 'patch', path: '/auth/passkeys/:number', callers: 'session' },
    summary: 'Rename one of your passkeys',
    body: [authSchemas.passkeyName, { name: 'Phone' }],
    message: DONE.passkeyRenamed,
    answer: [authAnswers.passkey, { ...authSamples.passkey, name: 'Phone' }],
    refused: ['credential_not_found'],
    invalid: ['name: Required'],
  }),
  authOperation({
    ...{ id: 'removePasskey', method: 'delete', path: '/auth/passkeys/:number', callers: 'session' },
    summary: 'Remove one of your passkeys',
    message: DONE.passkeyRemoved,
    refused: ['credential_not_found'],
  }),
  authOperation({
    ...{ id: 'makePasskeyLoginOptions', method: 'post', path: '/auth/passkey-login/options', callers: 'all' },
    summary: 'Get the options for signing in with a passkey',
    message: DONE.passkeyOptionsMade,
    answer: [authAnswers.options, authSamples.options],
    refused: ['passkeys_unavailable'],
  }),
  authOperation({
    ...{ id: 'logInWithPasskey', method: 'post', path: '/auth/passkey-login', callers: 'all' },
    summary: 'Sign in with a passkey',
    body: [authSchemas.passkeyLogin, bodies.passkeyLogin],
    message: DONE.signedIn,
    answer: [authAnswers.caller, { caller }],
    setsCookie: true,
    refused: ['passkey_wrong', 'account_disabled', 'passkeys_unavailable'],
    invalid: ['response: Required'],
  }),
  authOperation({
    ...{ id: 'listAccounts', method: 'get', path: '/auth/users', callers: 'operator', inEveryMode: true },
    summary: 'List accounts by name',
    description: 'A search reads 10,000 accounts a page: a page may be short or empty and still have a next.',
    query: accountListQuery,
    querySample: { q: 'ash', role: 'trader', state: 'enabled', limit: 100, cursor: 'YXNoYQ' },
    message: DONE.accountsFetched,
    answer: [authAnswers.accounts, { users: [account], next_cursor: null }],
    invalid: PAGE_FAULTS,
  }),
  authOperation({
    ...{ id: 'createAccount', method: 'post', path: '/auth/users', callers: 'admin' },
    summary: 'Create an account',
    body: [authSchemas.account, bodies.account],
    code: 201,
    message: DONE.accountMade,
    answer: [authAnswers.account, account],
    refused: ['name_taken'],
    invalid: ['name: Expected 2 to 32 characters', 'role: Required'],
  }),
  change(
    'changeRole',
    'role',
    'Change the role of an account',
    'Its sockets close, and open with the new rights.',
  ),
  change('disableAccount', 'disable', 'Disable an account', 'Ends its sessions; its keys are refused.'),
  change('enableAccount', 'enable', 'Enable an account again', 'Its keys work again.'),
  authOperation({
    ...{ id: 'makeRecoveryLink', method: 'post', path: '/auth/users/:name/recovery', callers: 'admin' },
    summary: 'Make a link that sets a new password once, within a day',
    code: 201,
    message: DONE.recoveryLinkMade,
    answer: [authAnswers.link, authSamples.link],
    refused: ['user_not_found', 'account_disabled'],
  }),
  authOperation({
    ...{ id: 'listInvitations', method: 'get', path: '/auth/invitations', callers: 'admin' },
    summary: 'List open invitations, newest first',
    message: DONE.invitationsFetched,
    answer: [authAnswers.invitations, { invitations: [authSamples.invitation] }],
  }),
  authOperation({
    ...{ id: 'makeInvitation', method: 'post', path: '/auth/invitations', callers: 'admin' },
    summary: 'Invite somebody to sign up',
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
  authOperation({
    ...{ id: 'withdrawInvitation', method: 'delete', path: '/auth/invitations/:number', callers: 'admin' },
    summary: 'Withdraw an invitation',
    message: DONE.invitationWithdrawn,
    refused: ['credential_not_found'],
  }),
  authOperation({
    ...{ id: 'listAudit', method: 'get', path: '/auth/audit', callers: 'operator', inEveryMode: true },
    summary: 'List the audit log of access, newest first',
    description: 'A search reads 20,000 lines a page: a page may be short or empty and still have a next.',
    query: auditQuery,
    querySample: { ...RANGE.sample, q: 'asha', kind: 'role_changed', limit: 100, cursor: '40' },
    message: DONE.auditFetched,
    answer: [authAnswers.audit, { lines: [authSamples.auditLine], next_cursor: null }],
    invalid: [...RANGE.faults, ...PAGE_FAULTS],
  }),
]

function change(
  id: string,
  verb: 'role' | 'disable' | 'enable',
  summary: string,
  description: string,
): Operation {
  return authOperation({
    ...{ id, method: 'post', path: `/auth/users/:name/${verb}`, callers: 'admin', summary, description },
    ...(verb === 'role' && { body: [authSchemas.role, bodies.role] as const, invalid: ['role: Required'] }),
    message: DONE.accountChanged,
    answer: [authAnswers.account, { ...account, ...(verb === 'role' && { role: 'operator' }) }],
    refused: ['user_not_found', ...(verb === 'enable' ? [] : ['last_admin' as const])],
  })
}
