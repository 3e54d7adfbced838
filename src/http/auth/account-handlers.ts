import type { Author } from '../../access/accounts/access-context.js'
import type { Account } from '../../access/accounts/accounts.js'
import { passwordFault, plainPassword } from '../../access/accounts/password-rules.js'
import { DONE } from '../../api/answer-texts.js'
import { ApiError } from '../../api/api-error.js'
import { accountListQuery, auditQuery } from '../../api/auth/auth-query.js'
import { authSchemas } from '../../api/auth/auth-schema.js'
import { validate } from '../../api/validation.js'
import { readJson } from '../middleware/body.js'
import { success } from '../middleware/envelope.js'
import { askedPage, queryOf } from '../middleware/query.js'
import { rangeIn } from '../middleware/time-query.js'
import type { AuthDoor } from './auth-door.js'
import { refused, unlessRefused } from './auth-door.js'
import { authViews, moment } from './auth-views.js'
import { numberIn } from './credential-handlers.js'
import { checkCallerAgain } from '../routing/sender.js'
import { handle } from '../routing/handle.js'
import type { Binding, Call } from '../routing/handle.js'
import { accountRoutes } from '../../api/auth/account-routes.js'

const LINE = /^\d{1,15}$/

/** Manages accounts for admins. */
export function accountHandlers(door: AuthDoor): Binding[] {
  const { store } = door
  const { accounts } = store
  const viewOf = (account: Account) => authViews.account(accounts.listed(account))
  const change = async (
    call: Call,
    act: (account: Account, author: Author) => unknown,
  ): Promise<Response> => {
    const author = door.admin(call)
    const account = door.found(accounts.named(call.params.name ?? ''))
    unlessRefused(await act(account, author))
    return success(call, 200, DONE.accountChanged, viewOf(account))
  }
  return [
    handle(accountRoutes.createAccount, async call => {
      const { name, role, password } = validate(authSchemas.account, await readJson(call))
      const hash = password === undefined ? undefined : await hashOf(door, name, password)
      // Reading and hashing take a while: the admin may have been demoted.
      await checkCallerAgain(call)
      const author = door.admin(call)
      const made = unlessRefused(accounts.create({ name, role, password: hash }, author))
      return success(call, 201, DONE.accountMade, viewOf(made))
    }),
    handle(accountRoutes.changeRole, call =>
      change(call, async (account, author) => {
        const { role } = validate(authSchemas.role, await readJson(call))
        return accounts.setRole(account, role, author)
      }),
    ),
    handle(accountRoutes.disableAccount, call =>
      change(call, (account, author) => accounts.disable(account, author)),
    ),
    handle(accountRoutes.enableAccount, call =>
      change(call, (account, author) => accounts.enable(account, author)),
    ),
    handle(accountRoutes.makeRecoveryLink, async call => {
      const author = door.admin(call)
      const account = door.found(accounts.named(call.params.name))
      if (account.isDisabled) throw refused('account_disabled')
      const { token, expiresAt } = store.recoveryLinks.make(account, author)
      const url = `${door.siteOf(call).origin}/recover#token=${token}`
      return success(call, 201, DONE.recoveryLinkMade, { url, expires_at: moment(expiresAt) })
    }),
  ]
}

/** Shows accounts and the audit log to operators. */
export function accountListHandlers({ store }: AuthDoor): Binding[] {
  const { accounts } = store
  return [
    handle(accountRoutes.listAccounts, call => {
      const { q, role, state } = queryOf(call, accountListQuery)
      const { limit, after } = askedPage(call, nameIn, accountListQuery)
      const page = accounts.list({ q, role, state, limit, after })
      const next_cursor = page.next === undefined ? null : Buffer.from(page.next).toString('base64url')
      return success(call, 200, DONE.accountsFetched, {
        users: page.accounts.map(authViews.account),
        next_cursor,
      })
    }),
    handle(accountRoutes.listAudit, call => {
      const { q, kind } = queryOf(call, auditQuery)
      const { limit, after } = askedPage(call, lineIn, auditQuery)
      const { lines, next } = store.audit.list({
        q,
        kind,
        ...rangeIn(call.c.req.query()),
        limit,
        before: after,
      })
      const next_cursor = next === undefined ? null : String(next)
      return success(call, 200, DONE.auditFetched, { lines: lines.map(authViews.auditLine), next_cursor })
    }),
  ]
}

/** Makes, lists and withdraws invitations, for admins. */
export function invitationHandlers(door: AuthDoor): Binding[] {
  const { invitations } = door.store
  return [
    handle(accountRoutes.listInvitations, call =>
      success(call, 200, DONE.invitationsFetched, {
        invitations: invitations.list().map(authViews.invitation),
      }),
    ),
    handle(accountRoutes.makeInvitation, async call => {
      const author = door.admin(call)
      const { expires_at, ...draft } = validate(authSchemas.invitation, await readJson(call))
      const expiresAt = expires_at === undefined ? undefined : Date.parse(expires_at)
      const made = unlessRefused(invitations.make({ ...draft, expiresAt }, author))
      const url = `${door.siteOf(call).origin}/sign-up#invitation=${made.token}`
      return success(call, 201, DONE.invitationMade, { ...authViews.invitation(made), url })
    }),
    handle(accountRoutes.withdrawInvitation, async call => {
      const author = door.admin(call)
      if (!invitations.withdraw(numberIn(call.params.number), author)) throw refused('credential_not_found')
      return success(call, 200, DONE.invitationWithdrawn)
    }),
  ]
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
