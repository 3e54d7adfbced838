import { Hono } from 'hono'
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

const NUMBER = /^[1-9]\d{0,14}$/

/** Lists and ends the sessions and API keys of their owner. */
export function credentialRoutes(door: AuthDoor): Hono {
  const { store } = door
  return new Hono()
    .get('/sessions', async c => {
      const { owner, session } = await door.sessionOwner(c, queryOf(c, sessionOwnerQuery))
      const sessions = store.sessionsOf(owner).map(listed => authViews.session(listed, owner, session))
      return success(c, 200, DONE.sessionsFetched, { sessions })
    })
    .delete('/sessions/:number', async c => {
      const { owner, author } = await door.sessionOwner(c, queryOf(c, sessionOwnerQuery))
      const id = numberIn(c.req.param('number'))
      if (!store.sessions.end(owner, id, 'session_ended', author)) throw refused('credential_not_found')
      return success(c, 200, DONE.sessionEnded)
    })
    .get('/keys', async c => {
      const { account } = await door.keyOwner(c, queryOf(c, keyOwnerQuery).user)
      return success(c, 200, DONE.keysFetched, { keys: store.keys.list(account).map(authViews.key) })
    })
    .post('/keys', async c => {
      door.checkAccounts()
      const body = await readJson(c)
      const { user } = (body ?? {}) as { readonly user?: unknown }
      const { account, author } = await door.keyOwner(c, typeof user === 'string' ? user : undefined)
      const { expires_at, ...draft } = validate(authSchemas.key, body)
      const expiresAt = expires_at === undefined ? undefined : Date.parse(expires_at)
      const { token, ...made } = unlessRefused(store.keys.make(account, { ...draft, expiresAt }, author))
      return success(c, 201, DONE.keyMade, { ...authViews.key(made), key: token })
    })
    .delete('/keys/:number', async c => {
      const { account, author } = await door.keyOwner(c, queryOf(c, keyOwnerQuery).user)
      const isRevoked = store.keys.revoke(account, numberIn(c.req.param('number')), author)
      if (!isRevoked) throw refused('credential_not_found')
      return success(c, 200, DONE.keyRevoked)
    })
}

/** Returns the id in a path; what is no number names nothing. */
export function numberIn(text: string): number {
  return NUMBER.test(text) ? Number(text) : 0
}
