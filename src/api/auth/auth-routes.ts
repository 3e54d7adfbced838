import { DONE } from '../answer-texts.js'
import { authAnswers } from './auth-answer.js'
import { keyOwnerQuery, sessionOwnerQuery } from './auth-query.js'
import { authSchemas } from './auth-schema.js'
import { authRoute } from './auth-route.js'
import { authSamples } from './auth-samples.js'

const { bodies, caller } = authSamples
const SIGNED_IN = [authAnswers.caller, { caller }] as const
const WEAK = 'password: Expected 10 to 256 characters'
const WHOSE = { query: sessionOwnerQuery, querySample: { user: 'asha', operator: 'true' } } as const
const OWNER = { query: keyOwnerQuery, querySample: { user: 'asha' } } as const

/** Routes of people who sign up, sign in and look after their own credentials. */
export const authRoutes = {
  getSession: authRoute({
    ...{ id: 'getSession', method: 'GET', path: '/auth/session', needs: 'identity', inEveryMode: true },
    summary: 'Get the mode, and who is signed in',
    message: DONE.sessionFetched,
    answer: [authAnswers.session, authSamples.status],
  }),
  signUp: authRoute({
    ...{ id: 'signUp', method: 'POST', path: '/auth/sign-up', needs: 'visit' },
    cost: { kind: 'sign_ups', points: 1 },
    summary: 'Create an account and sign in',
    description: 'Needs an invitation, unless the exchange is started with --sign-up open.',
    body: [authSchemas.signUp, bodies.signUp],
    code: 201,
    message: DONE.signedUp,
    answer: SIGNED_IN,
    setsCookie: true,
    refused: ['password_off', 'invitation_missing', 'invitation_wrong', 'name_taken'],
    invalid: ['name: Expected 2 to 32 characters', WEAK],
  }),
  logIn: authRoute({
    ...{ id: 'logIn', method: 'POST', path: '/auth/login', needs: 'visit' },
    cost: { kind: 'logins', points: 1 },
    summary: 'Sign in with a password',
    description: 'The answer to an unknown name is that to a wrong password, and takes as long.',
    body: [authSchemas.login, bodies.login],
    message: DONE.signedIn,
    answer: SIGNED_IN,
    setsCookie: true,
    isSlowed: true,
    refused: ['sign_in_failed', 'password_off', 'account_disabled'],
    invalid: ['name: Required'],
  }),
  beginOidc: authRoute({
    ...{ id: 'beginOidc', method: 'POST', path: '/auth/oidc/start', needs: 'visit' },
    cost: { kind: 'logins', points: 1 },
    summary: 'Begin to sign in with the OpenID provider, or to link your account',
    description:
      'The browser goes to `url` within ten minutes, and comes back to `/sign-in/oidc`. A cookie binds the ' +
      'sign-in to it. Only a session can link its account.',
    body: [authSchemas.oidcStart, bodies.oidcStart],
    message: DONE.providerAsked,
    answer: [authAnswers.providerAddress, { url: 'https://id.example/authorize?response_type=code&…' }],
    setsCookie: true,
    refused: ['provider_off', 'provider_down'],
    invalid: ['return_to: Expected a path of this site, such as /portfolio'],
  }),
  finishOidc: authRoute({
    ...{ id: 'finishOidc', method: 'POST', path: '/auth/oidc/finish', needs: 'visit' },
    summary: 'Sign in with what the browser brought back from the OpenID provider',
    description: 'The first sign-in creates the account. Each state and each code works once.',
    body: [authSchemas.oidcFinish, bodies.oidcFinish],
    message: DONE.signedIn,
    answer: [authAnswers.returned, { caller, return_to: '/portfolio', linked: false }],
    setsCookie: true,
    refused: [
      ...(['provider_off', 'state_wrong', 'provider_refused', 'group_missing'] as const),
      ...(['account_disabled', 'identity_taken', 'provider_down'] as const),
    ],
    invalid: ['state: Required'],
  }),
  listIdentities: authRoute({
    ...{ id: 'listIdentities', method: 'GET', path: '/auth/identities', needs: 'session' },
    summary: 'List the identities at OpenID providers that are linked to your account',
    message: DONE.identitiesFetched,
    answer: [
      authAnswers.identities,
      { identities: [authSamples.identity], has_password: true, has_other_way: true },
    ],
  }),
  removeIdentity: authRoute({
    ...{ id: 'removeIdentity', method: 'DELETE', path: '/auth/identities/:number', needs: 'session' },
    revokes: true,
    summary: 'Unlink an identity from your account',
    description:
      'Ends the sessions that it opened and the keys made in them. Refused where nothing else remains to ' +
      'sign in with.',
    message: DONE.identityRemoved,
    refused: ['credential_not_found', 'identity_needed'],
  }),
  logOut: authRoute({
    ...{ id: 'logOut', method: 'POST', path: '/auth/logout', needs: 'session', inEveryMode: true },
    revokes: true,
    summary: 'End this session',
    message: DONE.signedOut,
    setsCookie: true,
  }),
  useCode: authRoute({
    ...{ id: 'useCode', method: 'POST', path: '/auth/code', needs: 'visit', inEveryMode: true },
    cost: { kind: 'logins', points: 1 },
    summary: 'Sign in with the code of a link, as the one who made it',
    body: [authSchemas.code, bodies.code],
    message: DONE.signedIn,
    answer: SIGNED_IN,
    setsCookie: true,
    refused: ['code_wrong'],
    invalid: ['code: Required'],
  }),
  openOperatorSession: authRoute({
    ...{ id: 'openOperatorSession', method: 'POST', path: '/auth/operator', needs: 'operator:key' },
    cost: { kind: 'logins', points: 1 },
    inEveryMode: true,
    summary: 'Sign in as operator with the operator key',
    message: DONE.signedIn,
    answer: SIGNED_IN,
    setsCookie: true,
  }),
  makeAdminLink: authRoute({
    ...{ id: 'makeAdminLink', method: 'POST', path: '/auth/admin-link', needs: 'admin', inEveryMode: true },
    summary: 'Make a link that signs one browser in once, within 15 minutes',
    description:
      'For the operator key, and for sessions of admins. What the link opens has the rights of its maker, ' +
      'lives for a day at most, and ends with the session that made it.',
    code: 201,
    message: DONE.adminLinkMade,
    answer: [authAnswers.link, { ...authSamples.link, url: 'https://raay.example/admin#code=…' }],
  }),
  changePassword: authRoute({
    ...{ id: 'changePassword', method: 'POST', path: '/auth/password', needs: 'session' },
    revokes: true,
    cost: { kind: 'logins', points: 1 },
    summary: 'Change your password',
    description:
      'Ends your other sessions, and what you made that nobody has used: links, and invitations to a role ' +
      'above trader. API keys and passkeys stay: look at them, or revoke all keys with end_keys.',
    body: [authSchemas.password, bodies.password],
    message: DONE.passwordChanged,
    answer: [authAnswers.passwordChanged, authSamples.replaced],
    isSlowed: true,
    refused: ['sign_in_failed'],
    invalid: [WEAK],
  }),
  recover: authRoute({
    ...{ id: 'recover', method: 'POST', path: '/auth/recover', needs: 'visit' },
    revokes: true,
    cost: { kind: 'logins', points: 1 },
    summary: 'Set a new password with a recovery link',
    description:
      'Ends all sessions and opens one, and ends what the account made that nobody has used, as a change ' +
      'of the password does. API keys and passkeys stay: look at them, or revoke all keys with end_keys.',
    body: [authSchemas.recover, bodies.recover],
    message: DONE.recovered,
    answer: [authAnswers.recovered, { caller, ...authSamples.replaced }],
    setsCookie: true,
    refused: ['recovery_wrong', 'password_off'],
    invalid: [WEAK],
  }),
  listSessions: authRoute({
    ...{ id: 'listSessions', method: 'GET', path: '/auth/sessions', needs: 'own', inEveryMode: true },
    ...WHOSE,
    summary: 'List your sessions, newest first',
    description: 'With the operator key: those that it has opened.',
    message: DONE.sessionsFetched,
    answer: [authAnswers.sessions, { sessions: [authSamples.session] }],
    refused: ['user_not_found'],
  }),
  endSession: authRoute({
    ...{ id: 'endSession', method: 'DELETE', path: '/auth/sessions/:number', needs: 'own' },
    ...{ inEveryMode: true, ...WHOSE },
    revokes: true,
    summary: 'End one of your sessions',
    description: 'Those that its links opened end with it.',
    message: DONE.sessionEnded,
    refused: ['user_not_found', 'credential_not_found'],
  }),
  listKeys: authRoute({
    ...{ id: 'listKeys', method: 'GET', path: '/auth/keys', needs: 'own', ...OWNER },
    summary: 'List API keys, newest first',
    message: DONE.keysFetched,
    answer: [authAnswers.keys, { keys: [authSamples.key] }],
    refused: ['user_not_found'],
  }),
  makeKey: authRoute({
    ...{ id: 'makeKey', method: 'POST', path: '/auth/keys', needs: 'own', needsAccounts: true },
    summary: 'Make an API key',
    description: 'The key is in this answer only. It never has a scope that the role of its account lacks.',
    body: [authSchemas.key, bodies.key],
    code: 201,
    message: DONE.keyMade,
    answer: [authAnswers.madeKey, { ...authSamples.key, key: 'rk_…' }],
    refused: ['user_not_found', 'keys_full'],
    invalid: ['scopes: Expected one at least', 'expires_at: Expected a later time'],
  }),
  revokeKey: authRoute({
    ...{ id: 'revokeKey', method: 'DELETE', path: '/auth/keys/:number', needs: 'own', ...OWNER },
    revokes: true,
    summary: 'Revoke an API key',
    description: 'Its sockets close.',
    message: DONE.keyRevoked,
    refused: ['user_not_found', 'credential_not_found'],
  }),
}
