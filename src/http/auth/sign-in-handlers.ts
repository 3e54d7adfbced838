import type { Context } from 'hono'
import { Hono } from 'hono'
import { relyingParty } from '../../access/accounts/passkeys/relying-party.js'
import type { SignedIn } from '../../access/accounts/sign-in.js'
import { DONE } from '../../api/answer-texts.js'
import { authSchemas } from '../../api/auth/auth-schema.js'
import { validate } from '../../api/validation.js'
import { readJson } from '../middleware/body.js'
import type { Answer } from '../middleware/envelope.js'
import { envelopeText, success, successJson } from '../middleware/envelope.js'
import { addressOf } from '../middleware/identify-callers.js'
import type { AuthDoor } from './auth-door.js'
import { unlessRefused } from './auth-door.js'
import { authViews } from './auth-views.js'

/** Signs people up, in and out. */
export function signInRoutes(door: AuthDoor): Hono {
  const { store } = door
  return new Hono()
    .get('/session', async c => success(c, 200, DONE.sessionFetched, await statusView(door, c)))
    .post('/sign-up', async c => {
      door.checkAccounts()
      const client = door.clientOf(c)
      const draft = validate(authSchemas.signUp, await readJson(c))
      const signedIn = unlessRefused(await store.signIn.signUp(draft, client))
      return welcome(door, c, 201, DONE.signedUp, signedIn)
    })
    .post('/login', async c => {
      door.checkAccounts()
      const client = door.clientOf(c)
      const draft = validate(authSchemas.login, await readJson(c))
      const signedIn = unlessRefused(await store.signIn.login(draft, client))
      return welcome(door, c, 200, DONE.signedIn, signedIn)
    })
    .post('/logout', async c => {
      const { owner, session, author } = await door.ownSession(c)
      store.sessions.end(owner, session, 'sign_out', author)
      return envelopeText(c, 200, successJson(200, DONE.signedOut), door.noCookie(c))
    })
    .post('/password', async c => {
      const { account, session } = await door.ownAccount(c)
      const client = door.clientOf(c)
      const change = validate(authSchemas.password, await readJson(c))
      const { ended } = unlessRefused(await store.signIn.changePassword(account, change, session, client))
      return success(c, 200, DONE.passwordChanged, { sessions_ended: ended })
    })
    .post('/recover', async c => {
      door.checkAccounts()
      const client = door.clientOf(c)
      const draft = validate(authSchemas.recover, await readJson(c))
      const recovered = unlessRefused(await store.signIn.recover(draft, client))
      const { account, ended } = recovered
      return welcome(door, c, 200, DONE.recovered, recovered, {
        sessions_ended: ended,
        keys: store.keys.list(account).length,
        passkeys: store.passkeys.list(account).length,
      })
    })
}

/** Returns the mode, and who is signed in. */
async function statusView(door: AuthDoor, c: Context): Promise<object> {
  const { access, store, options } = door
  const hasAccounts = access.mode === 'accounts'
  return {
    mode: access.mode,
    sign_up: hasAccounts ? options.signUp : 'off',
    needs_admin: hasAccounts && !store.isClosed && store.accounts.needsAdmin,
    is_closed: store.isClosed,
    passkeys: hasAccounts && !('refused' in relyingParty(door.siteOf(c).origin)),
    caller: authViews.caller(await door.callerOf(c)),
  }
}

/** Sends a new session as a cookie, and ends the one that the browser had before. */
export function welcome(
  door: AuthDoor,
  c: Context,
  code: 200 | 201,
  message: string,
  { session }: Pick<SignedIn, 'session'>,
  others: object = {},
): Answer {
  const caller = door.store.find(session.token, addressOf(c))
  door.endFormer(c, session)
  const additional = { caller: caller && authViews.caller(caller), ...others }
  return envelopeText(c, code, successJson(code, message, additional), door.cookie(c, session))
}
