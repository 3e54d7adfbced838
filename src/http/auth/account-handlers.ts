import type { Context } from 'hono'
import { Hono } from 'hono'
import type { Author } from '../../access/accounts/access-context.js'
import type { Account } from '../../access/accounts/accounts.js'
import { passwordFault, plainPassword } from '../../access/accounts/password-rules.js'
import { DONE } from '../../api/answer-texts.js'
import { ApiError } from '../../api/api-error.js'
import { accountListQuery, auditQuery } from '../../api/auth/auth-query.js'
import { authSchemas } from '../../api/auth/auth-schema.js'
import { validate } from '../../api/validation.js'
import { readJson } from '../middleware/body.js'
import type { Answer } from '../middleware/envelope.js'
import { success } from '../middleware/envelope.js'
import type { OperatorGuards } from '../middleware/operator-guard.js'
import { askedPage, queryOf } from '../middleware/query.js'
import { rangeIn } from '../middleware/time-query.js'
import type { AuthDoor } from './auth-door.js'
import { refused, unlessRefused } from './auth-door.js'
import { authViews, moment } from './auth-views.js'
import { numberIn } from './credential-handlers.js'

const LINE = /^\d{1,15}$/

/** Manages accounts and invitations for admins; shows accounts and the audit log to operators. */
export function accountRoutes(door: AuthDoor, guards: OperatorGuards): Hono {
  const { store } = door
  const { accounts } = store
  const viewOf = (account: Account) => authViews.account(accounts.listed(account))
  const change = async (c: Context, act: (account: Account, author: Author) => unknown): Promise<Answer> => {
    door.checkAccounts()
    const author = await door.admin(c)
    const account = door.found(accounts.named(c.req.param('name') ?? ''))
    unlessRefused(await act(account, author))
    return success(c, 200, DONE.accountChanged, viewOf(account))
  }
  return new Hono()
    .get('/users', guards.read, c => {
      const { q, role, state } = queryOf(c, accountListQuery)
      const { limit, after } = askedPage(c, nameIn, accountListQuery)
      const page = accounts.list({ q, role, state, limit, after })
      const next_cursor = page.next === undefined ? null : Buffer.from(page.next).toString('base64url')
      return success(c, 200, DONE.accountsFetched, {
        users: page.accounts.map(authViews.account),
        next_cursor,
      })
    })
    .post('/users', async c => {
      door.checkAccounts()
      await door.admin(c)
      const { name, role, password } = validate(authSchemas.account, await readJson(c))
      const hash = password === undefined ? undefined : await hashOf(door, name, password)
      // Reading and hashing take a while: the admin may have been demoted.
      const author = await door.admin(c)
      const made = unlessRefused(accounts.create({ name, role, password: hash }, author))
      return success(c, 201, DONE.accountMade, viewOf(made))
    })
    .post('/users/:name/role', c =>
      change(c, async (account, author) => {
        const { role } = validate(authSchemas.role, await readJson(c))
        return accounts.setRole(account, role, author)
      }),
    )
    .post('/users/:name/disable', c => change(c, (account, author) => accounts.disable(account, author)))
    .post('/users/:name/enable', c => change(c, (account, author) => accounts.enable(account, author)))
    .post('/users/:name/recovery', async c => {
      door.checkAccounts()
      const author = await door.admin(c)
      const account = door.found(accounts.named(c.req.param('name')))
      if (account.isDisabled) throw refused('account_disabled')
      const { token, expiresAt } = store.recoveryLinks.make(account, author)
      const url = `${door.siteOf(c).origin}/recover#token=${token}`
      return success(c, 201, DONE.recoveryLinkMade, { url, expires_at: moment(expiresAt) })
    })
    .get('/audit', guards.read, c => {
      const { q, kind } = queryOf(c, auditQuery)
      const { limit, after } = askedPage(c, lineIn, auditQuery)
      const { lines, next } = store.audit.list({ q, kind, ...rangeIn(c.req.query()), limit, before: after })
      const next_cursor = next === undefined ? null : String(next)
      return success(c, 200, DONE.auditFetched, { lines: lines.map(authViews.auditLine), next_cursor })
    })
}

/** Makes, lists and withdraws invitations, for admins. */
export function invitationRoutes(door: AuthDoor): Hono {
  const { invitations } = door.store
  return new Hono()
    .get('/invitations', async c => {
      door.checkAccounts()
      await door.admin(c)
      return success(c, 200, DONE.invitationsFetched, {
        invitations: invitations.list().map(authViews.invitation),
      })
    })
    .post('/invitations', async c => {
      door.checkAccounts()
      const author = await door.admin(c)
      const { expires_at, ...draft } = validate(authSchemas.invitation, await readJson(c))
      const expiresAt = expires_at === undefined ? undefined : Date.parse(expires_at)
      const made = unlessRefused(invitations.make({ ...draft, expiresAt }, author))
      const url = `${door.siteOf(c).origin}/sign-up#invitation=${made.token}`
      return success(c, 201, DONE.invitationMade, { ...authViews.invitation(made), url })
    })
    .delete('/invitations/:number', async c => {
      door.checkAccounts()
      const author = await door.admin(c)
      if (!invitations.withdraw(numberIn(c.req.param('number')), author))
        throw refused('credential_not_found')
      return success(c, 200, DONE.invitationWithdrawn)
    })
}

async function hashOf({ store }: AuthDoor, name: string, password: string): Promise<string> {
  const fault = passwordFault(plainPassword(password), name)
  if (fault !== undefined) throw new ApiError(422, `password: ${fault}`)
  const hash = await store.passwords.hash(password)
  if (hash === 'busy') throw refused('busy')
  return hash
}

function nameIn(cursor: string): string | undefined {
  const name = Buffer.from(cursor, 'base64url').toString()
  return Buffer.from(name).toString('base64url') === cursor ? name : undefined
}

function lineIn(cursor: string): number | undefined {
  return LINE.test(cursor) ? Number(cursor) : undefined
}
