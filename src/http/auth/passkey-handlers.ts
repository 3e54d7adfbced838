import type { NewPasskey, PasskeySignature } from '../../access/accounts/passkeys/passkeys.js'
import type { RelyingParty } from '../../access/accounts/passkeys/relying-party.js'
import { relyingParty } from '../../access/accounts/passkeys/relying-party.js'
import { DONE } from '../../api/answer-texts.js'
import { ApiError } from '../../api/api-error.js'
import { authSchemas } from '../../api/auth/auth-schema.js'
import { validate } from '../../api/validation.js'
import { readJson } from '../middleware/body.js'
import { success } from '../middleware/envelope.js'
import type { AuthDoor, OwnAccount } from './auth-door.js'
import { refused, unlessRefused } from './auth-door.js'
import { authViews } from './auth-views.js'
import { numberIn } from './credential-handlers.js'
import { welcome } from './sign-in-handlers.js'
import { addressOf, checkCallerAgain } from '../routing/sender.js'
import { handle } from '../routing/handle.js'
import type { Binding, Call } from '../routing/handle.js'
import { accountRoutes } from '../../api/auth/account-routes.js'

/** Adds, renames and removes passkeys, and signs in with them. */
export function passkeyHandlers(door: AuthDoor): Binding[] {
  const { store } = door
  const { passkeys } = store
  return [
    handle(accountRoutes.listPasskeys, async call => {
      const { account } = door.ownAccount(call)
      return success(call, 200, DONE.passkeysFetched, {
        passkeys: passkeys.list(account).map(authViews.passkey),
      })
    }),
    handle(accountRoutes.makePasskeyOptions, async call => {
      const { account } = lastingAccount(door, call)
      const options = unlessRefused(await passkeys.additionOptions(account, partyOf(door, call)))
      return success(call, 200, DONE.passkeyOptionsMade, { options })
    }),
    handle(accountRoutes.addPasskey, async call => {
      const { account } = lastingAccount(door, call)
      const party = partyOf(door, call)
      const { name, response } = validate(authSchemas.passkey, await readJson(call))
      const author = { by: account.name, address: addressOf(call.c) }
      const draft = { name, response: response as unknown as NewPasskey }
      const session = { author, checkAgain: () => checkCallerAgain(call) }
      const added = unlessRefused(await passkeys.add(account, draft, party, session))
      return success(call, 201, DONE.passkeyAdded, authViews.passkey(added))
    }),
    handle(accountRoutes.renamePasskey, async call => {
      const { account } = door.ownAccount(call)
      const { name } = validate(authSchemas.passkeyName, await readJson(call))
      const author = { by: account.name, address: addressOf(call.c) }
      const renamed = passkeys.rename(account, numberIn(call.params.number), name, author)
      if (renamed === undefined) throw refused('credential_not_found')
      return success(call, 200, DONE.passkeyRenamed, authViews.passkey(renamed))
    }),
    handle(accountRoutes.removePasskey, async call => {
      const { account } = door.ownAccount(call)
      const author = { by: account.name, address: addressOf(call.c) }
      const isRemoved = passkeys.remove(account, numberIn(call.params.number), author)
      if (!isRemoved) throw refused('credential_not_found')
      return success(call, 200, DONE.passkeyRemoved)
    }),
    handle(accountRoutes.makePasskeyLoginOptions, async call => {
      door.checkAccounts()
      const options = await passkeys.signInOptions(partyOf(door, call))
      return success(call, 200, DONE.passkeyOptionsMade, { options })
    }),
    handle(accountRoutes.logInWithPasskey, async call => {
      door.checkAccounts()
      const client = door.clientOf(call)
      const party = partyOf(door, call)
      const { response } = validate(authSchemas.passkeyLogin, await readJson(call))
      const signature = response as unknown as PasskeySignature
      const signedIn = unlessRefused(await store.signIn.passkeyLogin(signature, party, client))
      return welcome(door, call, 200, DONE.signedIn, signedIn)
    }),
  ]
}

/**
 * Returns the account of a session to which a passkey may be added: one that an OpenID provider opened must
 * leave nothing by which a person who was removed there comes back. Throws 401 or 403.
 */
function lastingAccount(door: AuthDoor, call: Call): OwnAccount {
  const own = door.ownAccount(call)
  if (door.store.sessions.identityOf(own.session) !== null) throw refused('provider_session')
  return own
}

/** Returns the site that passkeys belong to. Throws 409 where they do not work. */
function partyOf(door: AuthDoor, call: Call): RelyingParty {
  const party = relyingParty(door.siteOf(call).origin)
  if ('refused' in party) throw new ApiError(409, party.refused, 'passkeys_unavailable')
  return party
}
