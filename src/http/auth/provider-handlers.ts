import { authorOf } from '../../access/accounts/access-context.js'
import type { ProviderSignIn } from '../../access/accounts/provider-sign-in.js'
import { DONE } from '../../api/answer-texts.js'
import { authRoutes } from '../../api/auth/auth-routes.js'
import { authSchemas } from '../../api/auth/auth-schema.js'
import { validate } from '../../api/validation.js'
import { readJson } from '../middleware/body.js'
import { envelopeText, success, successJson } from '../middleware/envelope.js'
import type { Binding } from '../routing/handle.js'
import { handle } from '../routing/handle.js'
import { addressOf, checkCallerAgain } from '../routing/sender.js'
import type { AuthDoor } from './auth-door.js'
import { refused, unlessRefused } from './auth-door.js'
import { authViews } from './auth-views.js'
import { numberIn } from './credential-handlers.js'
import { welcome } from './sign-in-handlers.js'

/** The page to which the provider sends browsers back. */
const RETURN_PATH = '/sign-in/oidc'

/** Signs people in with an OpenID provider, and links their accounts to it and unlinks them. */
export function providerHandlers(door: AuthDoor): Binding[] {
  return [
    handle(authRoutes.beginOidc, async call => {
      const provider = providerOf(door)
      const client = door.clientOf(call)
      const { return_to: returnTo, link } = validate(authSchemas.oidcStart, await readJson(call))
      if (link) door.ownAccount(call)
      const linkedBy = link ? call.caller.credential : undefined
      const redirectUri = `${door.siteOf(call).origin}${RETURN_PATH}`
      const begun = unlessRefused(await provider.begin({ returnTo, linkedBy }, redirectUri, client))
      const { url, browser } = begun
      const asked = successJson(200, DONE.providerAsked, { url })
      return envelopeText(call, 200, asked, door.oidcCookie(call, browser))
    }),
    handle(authRoutes.finishOidc, async call => {
      const provider = providerOf(door)
      const client = door.clientOf(call)
      const brought = validate(authSchemas.oidcFinish, await readJson(call))
      const verified = await provider.verify(brought, door.oidcCookieOf(call), client)
      const { pending, person } = unlessRefused(verified)
      const { returnTo: return_to, linkedBy } = pending
      if (linkedBy === undefined) {
        const signedIn = unlessRefused(provider.enter(person, client))
        return welcome(door, call, 200, DONE.signedIn, signedIn, { return_to, linked: false })
      }
      // The provider was asked meanwhile: the session may have ended, or be another one.
      await checkCallerAgain(call)
      const { account } = door.ownAccount(call)
      if (call.caller.credential !== linkedBy) throw refused('state_wrong')
      unlessRefused(asOutcome(provider.link(person, account, client)))
      const caller = authViews.caller(call.caller)
      return success(call, 200, DONE.signedIn, { caller, return_to, linked: true })
    }),
    handle(authRoutes.listIdentities, async call => {
      const { account } = door.ownAccount(call)
      const { identities } = door.store
      return success(call, 200, DONE.identitiesFetched, {
        identities: identities.list(account).map(authViews.identity),
        has_password: door.store.accounts.passwordOf(account) !== undefined,
        has_other_way: door.store.canUsePassword(account),
      })
    }),
    handle(authRoutes.removeIdentity, async call => {
      const { account } = door.ownAccount(call)
      const { identities, providerSignIn } = door.store
      const id = numberIn(call.params.number)
      const others = identities.list(account).filter(other => other.id !== id)
      const isLast = !others.some(({ issuer }) => issuer === providerSignIn?.issuer)
      if (isLast && !door.store.canUsePassword(account)) throw refused('identity_needed')
      const author = authorOf(call.caller, addressOf(call.c))
      if (!identities.unlink(account, id, author)) throw refused('credential_not_found')
      return success(call, 200, DONE.identityRemoved)
    }),
  ]
}

function asOutcome<Outcome extends string>(outcome: Outcome): Exclude<Outcome, 'linked'> | undefined {
  return outcome === 'linked' ? undefined : (outcome as Exclude<Outcome, 'linked'>)
}

/** Throws 404 where there is no provider. */
function providerOf(door: AuthDoor): ProviderSignIn {
  door.checkAccounts()
  if (door.store.providerSignIn === undefined) throw refused('provider_off')
  return door.store.providerSignIn
}
