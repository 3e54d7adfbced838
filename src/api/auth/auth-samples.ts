import { samples } from '../samples.js'

const at = samples.at
const later = '2036-02-01T12:00:00.000Z'
const caller = {
  kind: 'session',
  userid: 'asha',
  role: 'trader',
  scopes: ['read', 'trade'],
  expires_at: later,
}
const key = {
  ...{ id: 7, name: 'market maker', scopes: ['read', 'trade'], addresses: ['203.0.113.0/24'] },
  ...{ expires_at: null, created_at: at, last_used_at: null, last_address: null },
}
const account = {
  ...{ name: 'asha', role: 'trader', disabled: false, created_at: at, last_sign_in_at: at },
  ...{ sessions: 1, keys: 1, passkeys: 0 },
}
const invitation = {
  ...{ id: 3, role: 'trader', name: null, made_by: 'priya', created_at: at, expires_at: later },
}
const identity = { id: 1, issuer: 'https://id.example', created_at: at, valid_until: at }
const passkey = { id: 2, name: 'phone', created_at: at, last_used_at: null }
const browserKey = { id: 'ZmFrZQ', rawId: 'ZmFrZQ', type: 'public-key', clientExtensionResults: {} }
const password = 'correct horse battery'

/** Examples of requests and answers below `/auth`. */
export const authSamples = {
  caller,
  key,
  account,
  invitation,
  identity,
  passkey,
  session: {
    ...{ id: 12, created_at: at, last_used_at: at, expires_at: later, opened_by: null },
    address: '203.0.113.7',
    ...{ browser: 'Mozilla/5.0 (Android 16; Mobile)', is_current: true },
  },
  auditLine: {
    ...{ id: 40, at, kind: 'role_changed', name: 'asha', by: 'priya', address: '203.0.113.9' },
    ...{ detail: 'trader → operator', times: 1 },
  },
  replaced: {
    ...{ sessions_ended: 2, invitations_ended: 0, keys_ended: 0 },
    ...{ keys: [{ ...key, user: 'asha' }], passkeys: 0 },
  },
  link: { url: 'https://raay.example/recover#token=rr_…', expires_at: later },
  options: { options: { challenge: 'c2FtcGxl' } },
  status: {
    mode: 'accounts',
    sign_up: 'invitation',
    reads: 'public',
    needs_admin: false,
    is_closed: false,
    passkeys: true,
    provider: null,
    passwords: true,
    caller,
  },
  bodies: {
    signUp: { name: 'asha', password, invitation: 'ri_…' },
    login: { name: 'asha', password },
    code: { code: 'Gk3…' },
    oidcStart: { return_to: '/portfolio', link: false },
    oidcFinish: { state: 'vN2…', code: 'Qx7…', iss: 'https://id.example' },
    password: { current: password, password: 'another horse battery', end_keys: false },
    recover: { token: 'rr_…', password, end_keys: false },
    key: { name: 'market maker', scopes: ['read', 'trade'], addresses: ['203.0.113.0/24'] },
    passkey: {
      name: 'phone',
      response: { ...browserKey, response: { clientDataJSON: '', attestationObject: '' } },
    },
    passkeyLogin: {
      response: { ...browserKey, response: { clientDataJSON: '', authenticatorData: '', signature: '' } },
    },
    account: { name: 'asha', role: 'trader' },
    role: { role: 'operator' },
    invitation: { role: 'trader', name: 'asha', expires_at: later },
  },
}
