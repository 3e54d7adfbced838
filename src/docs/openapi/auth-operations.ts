import { DONE } from '../../api/answer-texts.js'
import { authAnswers } from '../../api/auth/auth-answer.js'
import { keyOwnerQuery, sessionOwnerQuery } from '../../api/auth/auth-query.js'
import { authSchemas } from '../../api/auth/auth-schema.js'
import { authOperation } from './auth-operation.js'
import { authSamples } from './auth-samples.js'
import type { Operation } from './operation.js'

const { bodies, caller } = authSamples
const SIGNED_IN = [authAnswers.caller, { caller }] as const
const WEAK = 'password: Expected 10 to 256 characters'
const WHOSE = { query: sessionOwnerQuery, querySample: { user: 'asha', operator: 'true' } } as const
const OWNER = { query: keyOwnerQuery, querySample: { user: 'asha' } } as const

/** Operations of people who sign up, sign in and look after their own credentials. */
export const authOperations: readonly Operation[] = [
  authOperation({
    ...{ id: 'getSession', method: 'get', path: '/auth/session', callers: 'all', inEveryMode: true },
    summary: 'Get the mode, and who is signed in',
    message: DONE.sessionFetched,
    answer: [authAnswers.session, authSamples.status],
  }),
  authOperation({
    ...{ id: 'signUp', method: 'post', path: '/auth/sign-up', callers: 'all' },
    summary: 'Create an account and sign in',
    description: 'Needs an invitation, unless the exchange is started with --sign-up open.',
    body: [authSchemas.signUp, bodies.signUp],
    code: 201,
    message: DONE.signedUp,
    answer: SIGNED_IN,
    setsCookie: true,
    refused: ['invitation_missing', 'invitation_wrong', 'name_taken'],
    invalid: ['name: Expected 2 to 32 characters', WEAK],
  }),
  authOperation({
    ...{ id: 'logIn', method: 'post', path: '/auth/login', callers: 'all' },
    summary: 'Sign in with a password',
    description: 'The answer to an unknown name is that to a wrong password, and takes as long.',
    body: [authSchemas.login, bodies.login],
    message: DONE.signedIn,
    answer: SIGNED_IN,
    setsCookie: true,
    isSlowed: true,
    refused: ['sign_in_failed', 'account_disabled'],
    invalid: ['name: Required'],
  }),
  authOperation({
    ...{ id: 'logOut', method: 'post', path: '/auth/logout', callers: 'session', inEveryMode: true },
    summary: 'End this session',
    message: DONE.signedOut,
    setsCookie: true,
  }),
  authOperation({
    ...{ id: 'useCode', method: 'post', path: '/auth/code', callers: 'all', inEveryMode: true },
    summary: 'Sign in with the code of a link, as the one who made it',
    body: [authSchemas.code, bodies.code],
    message: DONE.signedIn,
    answer: SIGNED_IN,
    setsCookie: true,
    refused: ['code_wrong'],
    invalid: ['code: Required'],
  }),
  authOperation({
    ...{ id: 'openOperatorSession', method: 'post', path: '/auth/operator', callers: 'operator' },
    inEveryMode: true,
    summary: 'Sign in as operator with the operator key',
    message: DONE.signedIn,
    answer: SIGNED_IN,
    setsCookie: true,
  }),
  authOperation({
    ...{ id: 'makeAdminLink', method: 'post', path: '/auth/admin-link', callers: 'admin', inEveryMode: true },
    summary: 'Make a link that signs one browser in once, within 15 minutes',
    description:
      'For the operator key, and for sessions of admins. What the link opens has the rights of its maker, ' +
      'lives for a day at most, and ends with the session that made it.',
    code: 201,
    message: DONE.adminLinkMade,
    answer: [authAnswers.link, { ...authSamples.link, url: 'https://raay.example/admin#code=…' }],
  }),
  authOperation({
    ...{ id: 'changePassword', method: 'post', path: '/auth/password', callers: 'session' },
    summary: 'Change your password',
    description: 'Ends your other sessions. API keys stay.',
    body: [authSchemas.password, bodies.password],
    message: DONE.passwordChanged,
    answer: [authAnswers.passwordChanged, { sessions_ended: 2 }],
    isSlowed: true,
    refused: ['sign_in_failed'],
    invalid: [WEAK],
  }),
  authOperation({
    ...{ id: 'recover', method: 'post', path: '/auth/recover', callers: 'all' },
    summary: 'Set a new password with a recovery link',
    description: 'Ends all sessions and opens one. API keys and passkeys stay: look at them.',
    body: [authSchemas.recover, bodies.recover],
    message: DONE.recovered,
    answer: [authAnswers.recovered, { caller, sessions_ended: 2, keys: 1, passkeys: 0 }],
    setsCookie: true,
    refused: ['recovery_wrong'],
    invalid: [WEAK],
  }),
  authOperation({
    ...{ id: 'listSessions', method: 'get', path: '/auth/sessions', callers: 'own', inEveryMode: true },
    ...WHOSE,
    summary: 'List your sessions, newest first',
    description: 'Admins may name others. With the operator key: the sessions that it has opened.',
    message: DONE.sessionsFetched,
    answer: [authAnswers.sessions, { sessions: [authSamples.session] }],
    refused: ['user_not_found'],
  }),
  authOperation({
    ...{ id: 'endSession', method: 'delete', path: '/auth/sessions/:number', callers: 'own' },
    ...{ inEveryMode: true, ...WHOSE },
    summary: 'End one of your sessions',
    description: 'Those that its links opened end with it.',
    message: DONE.sessionEnded,
    refused: ['user_not_found', 'credential_not_found'],
  }),
  authOperation({
    ...{ id: 'listKeys', method: 'get', path: '/auth/keys', callers: 'own', ...OWNER },
    summary: 'List API keys, newest first',
    message: DONE.keysFetched,
    answer: [authAnswers.keys, { keys: [authSamples.key] }],
    refused: ['user_not_found'],
  }),
  authOperation({
    ...{ id: 'makeKey', method: 'post', path: '/auth/keys', callers: 'own' },
    summary: 'Make an API key',
    description: 'The key is in this answer only. It never has a scope that the role of its account lacks.',
    body: [authSchemas.key, bodies.key],
    code: 201,
    message: DONE.keyMade,
    answer: [authAnswers.madeKey, { ...authSamples.key, key: 'rk_…' }],
    refused: ['user_not_found', 'keys_full'],
    invalid: ['scopes: Expected one at least', 'expires_at: Expected a later time'],
  }),
  authOperation({
    ...{ id: 'revokeKey', method: 'delete', path: '/auth/keys/:number', callers: 'own', ...OWNER },
    summary: 'Revoke an API key',
    description: 'Its sockets close.',
    message: DONE.keyRevoked,
    refused: ['user_not_found', 'credential_not_found'],
  }),
]
