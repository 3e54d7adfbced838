import { relyingParty } from '../../access/accounts/passkeys/relying-party.js'
import type { Account } from '../../access/accounts/accounts.js'
import type { EndedWithPassword } from '../../access/accounts/replace-password.js'
import type { SignedIn } from '../../access/accounts/sign-in.js'
import { DONE } from '../../api/answer-texts.js'
import { authSchemas } from '../../api/auth/auth-schema.js'
import type { PasswordReplaced } from '../../api/auth/auth-shape.js'
import { validate } from '../../api/validation.js'
import { readJson } from '../middleware/body.js'
import type { Answer } from '../middleware/envelope.js'
import { envelopeText, success, successJson } from '../middleware/envelope.js'
import type { AuthDoor } from './auth-door.js'
import { unlessRefused } from './auth-door.js'
import { authViews } from './auth-views.js'
import { addressOf } from '../routing/sender.js'
import { handle } from '../routing/handle.js'
import type { Binding, Call } from '../routing/handle.js'
import { authRoutes } from '../../api/auth/auth-routes.js'

/** Signs people up, in and out. */
export function signInHandlers(door: AuthDoor): Binding[] {
  const { store } = door
  return [
    handle(authRoutes.getSession, async call =>
      success(call, 200, DONE.sessionFetched, await statusView(door, call)),
    ),
    handle(authRoutes.signUp, async call => {
      door.checkAccounts()
      const client = door.clientOf(call)
      const draft = validate(authSchemas.signUp, await readJson(call))
      const signedIn = unlessRefused(await store.signIn.signUp(draft, client))
      return welcome(door, call, 201, DONE.signedUp, signedIn)
    }),
    handle(authRoutes.logIn, async call => {
      door.checkAccounts()
      const client = door.clientOf(call)
      const draft = validate(authSchemas.login, await readJson(call))
      const signedIn = unlessRefused(await store.signIn.login(draft, client))
      return welcome(door, call, 200, DONE.signedIn, signedIn)
    }),
    handle(authRoutes.logOut, async call => {
      const { owner, session, author } = door.ownSession(call)
      store.sessions.end(owner, session, 'sign_out', author)
      return envelopeText(call, 200, successJson(200, DONE.signedOut), door.noCookie(call))
    }),
    handle(authRoutes.changePassword, async call => {
      const { account, session } = door.ownAccount(call)
      const client = door.clientOf(call)
      const { end_keys: endsKeys, ...change } = validate(authSchemas.password, await readJson(call))
      const changed = await store.signIn.changePassword(account, { ...change, endsKeys }, session, client)
      const { ended } = unlessRefused(changed)
      return success(call, 200, DONE.passwordChanged, replacedView(door, account, ended))
    }),
    handle(authRoutes.recover, async call => {
      door.checkAccounts()
      const client = door.clientOf(call)
      const { end_keys: endsKeys, ...draft } = validate(authSchemas.recover, await readJson(call))
      const recovered = unlessRefused(await store.signIn.recover({ ...draft, endsKeys }, client))
      const { account, ended } = recovered
      return welcome(door, call, 200, DONE.recovered, recovered, replacedView(door, account, ended))
    }),
  ]
}

/** Returns the mode, and who is signed in. */
async function statusView(door: AuthDoor, call: Call): Promise<object> {
  const { access, store, options } = door
  const hasAccounts = access.mode === 'accounts'
  return {
    mode: access.mode,
    sign_up: hasAccounts && store.hasPasswords ? options.signUp : 'off',
    reads: access.publicReads ? 'public' : 'members',
    needs_admin: hasAccounts && door.leads() && !store.isClosed && store.accounts.needsAdmin,
    is_closed: store.isClosed,
    passkeys: hasAccounts && !('refused' in relyingParty(door.siteOf(call).origin)),
    provider: (hasAccounts && store.providerSignIn?.name) || null,
    passwords: store.hasPasswords,
    caller: authViews.caller(call.caller),
  }
}

/** Returns what ended with a password, and what still opens the account. */
function replacedView({ store }: AuthDoor, account: Account, ended: EndedWithPassword): PasswordReplaced {
  return {
    sessions_ended: ended.sessions,
    invitations_ended: ended.invitations,
    keys_ended: ended.keys,
    keys: store.keys.madeBy(account).map(key => ({ ...authViews.key(key), user: key.user })),
    passkeys: store.passkeys.list(account).length,
  }
}

/** Sends a new session as a cookie, and ends the one that the browser had before. */
export function welcome(
  door: AuthDoor,
  call: Call,
  code: 200 | 201,
  message: string,
  { session }: Pick<SignedIn, 'session'>,
  others: object = {},
): Answer {
  const caller = door.store.find(session.token, addressOf(call.c))
  door.endFormer(call, session)
  const additional = { caller: caller && authViews.caller(caller), ...others }
  return envelopeText(call, code, successJson(code, message, additional), door.cookie(call, session))
}
