import { DONE } from '../../api/answer-texts.js'
import { keyOwnerQuery, sessionOwnerQuery } from '../../api/auth/auth-query.js'
import { authSchemas } from '../../api/auth/auth-schema.js'
import { validate } from '../../api/validation.js'
import { readJson } from '../middleware/body.js'
import { success } from '../middleware/envelope.js'
import { queryOf } from '../middleware/query.js'
import type { AuthDoor } from './auth-door.js'
import { refused, unlessRefused } from './auth-door.js'
import { authViews } from './auth-views.js'
import { handle } from '../routing/handle.js'
import type { Binding } from '../routing/handle.js'
import { authRoutes } from '../../api/auth/auth-routes.js'

const NUMBER = /^[1-9]\d{0,14}$/

/** Lists and ends the sessions and API keys of their owner. */
export function credentialHandlers(door: AuthDoor): Binding[] {
  const { store } = door
  return [
    handle(authRoutes.listSessions, async call => {
      const { owner, session } = door.sessionOwner(call, queryOf(call, sessionOwnerQuery))
      const sessions = store.sessionsOf(owner).map(listed => authViews.session(listed, owner, session))
      return success(call, 200, DONE.sessionsFetched, { sessions })
    }),
    handle(authRoutes.endSession, async call => {
      const { owner, author } = door.sessionOwner(call, queryOf(call, sessionOwnerQuery))
      const id = numberIn(call.params.number)
      if (!store.sessions.end(owner, id, 'session_ended', author)) throw refused('credential_not_found')
      return success(call, 200, DONE.sessionEnded)
    }),
    handle(authRoutes.listKeys, async call => {
      const { account } = door.keyOwner(call, queryOf(call, keyOwnerQuery).user)
      return success(call, 200, DONE.keysFetched, { keys: store.keys.list(account).map(authViews.key) })
    }),
    handle(authRoutes.makeKey, async call => {
      door.checkAccounts()
      const body = await readJson(call)
      const { user } = (body ?? {}) as { readonly user?: unknown }
      const { account, author } = door.keyOwner(call, typeof user === 'string' ? user : undefined)
      const { expires_at, ...draft } = validate(authSchemas.key, body)
      const expiresAt = expires_at === undefined ? undefined : Date.parse(expires_at)
      const { token, ...made } = unlessRefused(store.keys.make(account, { ...draft, expiresAt }, author))
      return success(call, 201, DONE.keyMade, { ...authViews.key(made), key: token })
    }),
    handle(authRoutes.revokeKey, async call => {
      const { account, author } = door.keyOwner(call, queryOf(call, keyOwnerQuery).user)
      const isRevoked = store.keys.revoke(account, numberIn(call.params.number), author)
      if (!isRevoked) throw refused('credential_not_found')
      return success(call, 200, DONE.keyRevoked)
    }),
  ]
}

/** Returns the id in a path; what is no number names nothing. */
export function numberIn(text: string): number {
  return NUMBER.test(text) ? Number(text) : 0
}
