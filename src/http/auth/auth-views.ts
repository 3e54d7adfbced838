import { OPERATOR } from '../../access/accounts/access-context.js'
import type { ListedAccount } from '../../access/accounts/accounts.js'
import type { ListedKey } from '../../access/accounts/api-keys.js'
import type { AuditLine } from '../../access/accounts/audit-log.js'
import type { ListedIdentity } from '../../access/accounts/identities.js'
import type { Invitation } from '../../access/accounts/invitations.js'
import type { ListedPasskey } from '../../access/accounts/passkeys/passkeys.js'
import type { ListedSession, SessionOwner } from '../../access/accounts/sessions.js'
import type { Identity } from '../../access/identity.js'
import type {
  AccountAnswer,
  AuditLineAnswer,
  CallerAnswer,
  IdentityAnswer,
  InvitationAnswer,
  KeyAnswer,
  PasskeyAnswer,
  SessionAnswer,
} from '../../api/auth/auth-answer.js'

/** Accounts and credentials as the API shows them. */
export const authViews = {
  caller({ kind, userId, role, scopes, expiresAt }: Identity): CallerAnswer | null {
    if (kind === 'anonymous' || kind === 'open') return null
    const expires_at = momentOrNull(expiresAt)
    return { kind, userid: userId ?? null, role: role ?? null, scopes: [...scopes], expires_at }
  },

  session(session: ListedSession, owner: SessionOwner, current: number): SessionAnswer {
    const { id, opener, createdAt, lastUsedAt, endsAt, address, browser } = session
    const times = { created_at: moment(createdAt), last_used_at: moment(lastUsedAt) }
    const signedIn = owner === 'operator' ? OPERATOR : null
    const opened_by = opener === undefined ? signedIn : `session ${opener}`
    return {
      id,
      ...times,
      expires_at: moment(endsAt),
      opened_by,
      address,
      browser,
      is_current: id === current,
    }
  },

  key({ id, name, scopes, addresses, ...key }: ListedKey): KeyAnswer {
    return {
      ...{ id, name, scopes: [...scopes], addresses: addresses === undefined ? null : [...addresses] },
      expires_at: momentOrNull(key.expiresAt),
      created_at: moment(key.createdAt),
      last_used_at: momentOrNull(key.lastUsedAt),
      last_address: key.lastAddress ?? null,
    }
  },

  identity({ id, issuer, createdAt, validUntil }: ListedIdentity): IdentityAnswer {
    return { id, issuer, created_at: moment(createdAt), valid_until: moment(validUntil) }
  },

  passkey({ id, name, createdAt, lastUsedAt }: ListedPasskey): PasskeyAnswer {
    return { id, name, created_at: moment(createdAt), last_used_at: momentOrNull(lastUsedAt) }
  },

  account({ name, role, isDisabled, createdAt, lastSignInAt, ...counts }: ListedAccount): AccountAnswer {
    const { sessions, keys, passkeys } = counts
    const times = { created_at: moment(createdAt), last_sign_in_at: momentOrNull(lastSignInAt) }
    return { name, role, disabled: isDisabled, ...times, sessions, keys, passkeys }
  },

  invitation({ id, role, name, madeBy, createdAt, expiresAt }: Invitation): InvitationAnswer {
    const times = { created_at: moment(createdAt), expires_at: moment(expiresAt) }
    return { id, role, name: name ?? null, made_by: madeBy, ...times }
  },

  auditLine({ id, at, kind, name, by, address, detail, times }: AuditLine): AuditLineAnswer {
    return { id, at: moment(at), kind, name, by, address, detail, times }
  },
}

/** Returns a time in ISO 8601, UTC. */
export function moment(time: number): string {
  return new Date(time).toISOString()
}

function momentOrNull(time: number | undefined): string | null {
  return time === undefined ? null : moment(time)
}
