import type { Context } from 'hono'
import { Hono } from 'hono'
import type { NewPasskey, PasskeySignature } from '../../access/accounts/passkeys/passkeys.js'
import type { RelyingParty } from '../../access/accounts/passkeys/relying-party.js'
import { relyingParty } from '../../access/accounts/passkeys/relying-party.js'
import { DONE } from '../../api/answer-texts.js'
import { ApiError } from '../../api/api-error.js'
import { authSchemas } from '../../api/auth/auth-schema.js'
import { validate } from '../../api/validation.js'
import { readJson } from '../middleware/body.js'
import { success } from '../middleware/envelope.js'
import { addressOf } from '../middleware/identify-callers.js'
import type { AuthDoor } from './auth-door.js'
import { refused, unlessRefused } from './auth-door.js'
import { authViews } from './auth-views.js'
import { numberIn } from './credential-handlers.js'
import { welcome } from './sign-in-handlers.js'

/** Adds, renames and removes passkeys, and signs in with them. */
export function passkeyRoutes(door: AuthDoor): Hono {
  const { store } = door
  const { passkeys } = store
  return new Hono()
    .get('/passkeys', async c => {
      const { account } = await door.ownAccount(c)
      return success(c, 200, DONE.passkeysFetched, {
        passkeys: passkeys.list(account).map(authViews.passkey),
      })
    })
    .post('/passkeys/options', async c => {
      const { account } = await door.ownAccount(c)
      const options = unlessRefused(await passkeys.additionOptions(account, partyOf(door, c)))
      return success(c, 200, DONE.passkeyOptionsMade, { options })
    })
    .post('/passkeys', async c => {
      const { account } = await door.ownAccount(c)
      const party = partyOf(door, c)
      const { name, response } = validate(authSchemas.passkey, await readJson(c))
      const author = { by: account.name, address: addressOf(c) }
      const draft = { name, response: response as unknown as NewPasskey }
      const added = unlessRefused(await passkeys.add(account, draft, party, author))
      return success(c, 201, DONE.passkeyAdded, authViews.passkey(added))
    })
    .patch('/passkeys/:number', async c => {
      const { account } = await door.ownAccount(c)
      const { name } = validate(authSchemas.passkeyName, await readJson(c))
      const author = { by: account.name, address: addressOf(c) }
      const renamed = passkeys.rename(account, numberIn(c.req.param('number')), name, author)
      if (renamed === undefined) throw refused('credential_not_found')
      return success(c, 200, DONE.passkeyRenamed, authViews.passkey(renamed))
    })
    .delete('/passkeys/:number', async c => {
      const { account } = await door.ownAccount(c)
      const author = { by: account.name, address: addressOf(c) }
      const isRemoved = passkeys.remove(account, numberIn(c.req.param('number')), author)
      if (!isRemoved) throw refused('credential_not_found')
      return success(c, 200, DONE.passkeyRemoved)
    })
    .post('/passkey-login/options', async c => {
      door.checkAccounts()
      const options = await passkeys.signInOptions(partyOf(door, c))
      return success(c, 200, DONE.passkeyOptionsMade, { options })
    })
    .post('/passkey-login', async c => {
      door.checkAccounts()
      const client = door.clientOf(c)
      const party = partyOf(door, c)
      const { response } = validate(authSchemas.passkeyLogin, await readJson(c))
      const signature = response as unknown as PasskeySignature
      const signedIn = unlessRefused(await store.signIn.passkeyLogin(signature, party, client))
      return welcome(door, c, 200, DONE.signedIn, signedIn)
    })
}

/** Returns the site that passkeys belong to. Throws 409 where they do not work. */
function partyOf(door: AuthDoor, c: Context): RelyingParty {
  const party = relyingParty(door.siteOf(c).origin)
  if ('refused' in party) throw new ApiError(409, party.refused, 'passkeys_unavailable')
  return party
}
