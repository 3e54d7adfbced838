import { z } from 'zod'
import { answerField } from '../fields.js'
import type { Checked, Same } from '../same-shape.js'
import { AUDIT_ACTS, AUDIT_REFUSALS } from './audit-kinds.js'
import { roleField, scopeField } from './auth-schema.js'
import type {
  Account,
  ApiKey,
  Caller,
  Invitation,
  MadeApiKey,
  MadeInvitation,
  PasswordReplaced,
  SecretLink,
  Session,
  SessionStatus,
} from './auth-shape.js'

const { moment, nextCursor } = answerField
const id = z.int().min(1)
const count = z.int().min(0)

const caller = z
  .object({
    kind: z
      .enum(['operator_key', 'operator_session', 'session', 'api_key', 'jwt'])
      .meta({ description: 'How the caller is authenticated' }),
    userid: z.string().nullable().meta({ description: 'The user it acts for; null for the operator' }),
    role: roleField.nullable(),
    scopes: z.array(scopeField),
    expires_at: moment.nullable(),
  })
  .meta({ id: 'Caller' })

const session = z
  .object({
    id,
    created_at: moment,
    last_used_at: moment,
    expires_at: moment.meta({ description: 'When it ends, used or not' }),
    opened_by: z.string().nullable().meta({
      description: '"operator key", or the session whose link opened it; null for a sign-in to an account',
    }),
    address: z.string(),
    browser: z.string().meta({ description: 'Its User-Agent, shortened' }),
    is_current: z.boolean().meta({ description: 'true for the session that asks' }),
  })
  .meta({ id: 'Session' })

const key = z
  .object({
    id,
    name: z.string(),
    scopes: z.array(scopeField),
    addresses: z.array(z.string()).nullable().meta({ description: 'null: usable from everywhere' }),
    expires_at: moment.nullable(),
    created_at: moment,
    last_used_at: moment.nullable(),
    last_address: z.string().nullable(),
  })
  .meta({ id: 'ApiKey' })

const passwordReplaced = z
  .object({
    sessions_ended: count,
    invitations_ended: count.meta({
      description: 'Invitations to a role above trader that the account made and nobody used',
    }),
    keys_ended: count,
    keys: z.array(key.extend({ user: z.string().meta({ description: 'The account that it opens' }) })).meta({
      description: 'The keys of the account, then those that it made for others, 100 of these at most',
    }),
    passkeys: count,
  })
  .meta({
    id: 'PasswordReplaced',
    description: 'keys and passkeys still work: revoke those that are not yours',
  })

const identity = z
  .object({
    id,
    issuer: z.string().meta({ description: 'The OpenID provider' }),
    created_at: moment,
    valid_until: moment.meta({
      description: 'When the sessions of the last sign-in there, and their keys, end',
    }),
  })
  .meta({ id: 'LinkedIdentity' })

const passkey = z
  .object({ id, name: z.string(), created_at: moment, last_used_at: moment.nullable() })
  .meta({ id: 'Passkey' })

const account = z
  .object({
    name: z.string().meta({ description: 'Also the user id' }),
    role: roleField,
    disabled: z.boolean(),
    created_at: moment,
    last_sign_in_at: moment.nullable(),
    sessions: count,
    keys: count,
    passkeys: count,
  })
  .meta({ id: 'Account' })

const invitation = z
  .object({
    id,
    role: roleField,
    name: z.string().nullable().meta({ description: 'The reserved name' }),
    made_by: z.string(),
    created_at: moment,
    expires_at: moment,
  })
  .meta({ id: 'Invitation' })

const link = z
  .object({
    url: z.string().meta({ description: 'The secret is in the fragment, which is sent to no server' }),
    expires_at: moment,
  })
  .meta({ id: 'SecretLink' })

const auditLine = z
  .object({
    id,
    at: moment,
    kind: z.enum([...AUDIT_ACTS, ...AUDIT_REFUSALS]),
    name: z.string().meta({ description: 'The account it is about, or the name that was tried' }),
    by: z
      .string()
      .meta({ description: 'Who did it: an account, the operator key, or a session that it opened' }),
    address: z.string(),
    detail: z.string(),
    times: id.meta({ description: 'Equal refusals within a minute are one line' }),
  })
  .meta({ id: 'AuditLine' })

const options = z.looseObject({ challenge: z.string() }).meta({ id: 'PasskeyOptions' })

/** Answers of the routes below `/auth`. */
export const authAnswers = {
  session: z
    .object({
      mode: z.enum(['open', 'accounts', 'jwt']),
      sign_up: z.enum(['open', 'invitation', 'off']),
      reads: z
        .enum(['public', 'members'])
        .meta({ description: 'Who may see markets: everyone, or those who sign in' }),
      needs_admin: z.boolean().meta({ description: 'true until there is an admin; false on a standby' }),
      is_closed: z.boolean().meta({ description: 'true while the file of accounts is in doubt' }),
      passkeys: z.boolean().meta({ description: 'Whether passkeys work at this address' }),
      provider: z
        .string()
        .nullable()
        .meta({ description: 'The OpenID provider at which people sign in, by its name' }),
      passwords: z
        .boolean()
        .meta({ description: 'false where only the last admin signs in with a password or passkey' }),
      caller: caller.nullable(),
    })
    .meta({ id: 'AuthSession' }),
  caller: z.object({ caller }).meta({ id: 'SignedIn' }),
  providerAddress: z.object({ url: z.string().meta({ description: 'Where the browser goes now' }) }),
  returned: z.object({
    caller,
    return_to: z.string().meta({ description: 'The page of this site to go to' }),
    linked: z.boolean().meta({ description: 'true if the account was linked, false if it was signed in to' }),
  }),
  recovered: passwordReplaced.extend({ caller }).meta({ id: 'Recovered' }),
  passwordChanged: passwordReplaced,
  link,
  sessions: z.object({ sessions: z.array(session) }),
  keys: z.object({ keys: z.array(key) }),
  madeKey: key
    .extend({ key: z.string().meta({ description: 'The key itself, shown only now' }) })
    .meta({ id: 'MadeApiKey' }),
  identities: z.object({
    identities: z.array(identity),
    has_password: z.boolean(),
    has_other_way: z
      .boolean()
      .meta({ description: 'Whether the account has a password or passkey, and may use it' }),
  }),
  passkeys: z.object({ passkeys: z.array(passkey) }),
  passkey,
  options: z.object({ options }),
  accounts: z.object({ users: z.array(account), next_cursor: nextCursor }),
  account,
  invitations: z.object({ invitations: z.array(invitation) }),
  madeInvitation: invitation.extend({ url: link.shape.url }).meta({ id: 'MadeInvitation' }),
  audit: z.object({ lines: z.array(auditLine), next_cursor: nextCursor }),
} satisfies Record<string, z.ZodType> & {
  session: z.ZodType<SessionStatus>
  link: z.ZodType<SecretLink>
  passwordChanged: z.ZodType<PasswordReplaced>
  madeKey: z.ZodType<MadeApiKey>
  madeInvitation: z.ZodType<MadeInvitation>
}

export type CallerAnswer = Checked<Caller, Same<Caller, z.output<typeof caller>>>
export type SessionAnswer = Checked<Session, Same<Session, z.output<typeof session>>>
export type KeyAnswer = Checked<ApiKey, Same<ApiKey, z.output<typeof key>>>
export type IdentityAnswer = z.output<typeof identity>
export type PasskeyAnswer = z.output<typeof passkey>
export type AccountAnswer = Checked<Account, Same<Account, z.output<typeof account>>>
export type InvitationAnswer = Checked<Invitation, Same<Invitation, z.output<typeof invitation>>>
export type AuditLineAnswer = z.output<typeof auditLine>
