import type { Context } from 'hono'
import type { AuditLog } from '../../access/accounts/audit-log.js'
import type { ApiError } from '../../api/api-error.js'
import type { AuditRefusal } from '../../api/auth/audit-kinds.js'
import type { RefusalReason } from '../../api/reasons.js'
import { addressOf } from '../routing/sender.js'
import { environmentOf } from '../routing/environment.js'

/** Refusals of callers who lack a right. Those of tokens are counted where tokens are looked up. */
const KINDS: Partial<Record<RefusalReason, AuditRefusal>> = {
  scope_missing: 'scope_missing',
  session_needed: 'scope_missing',
  other_user: 'other_user',
  operator_only: 'operator_only',
  admin_only: 'operator_only',
}

/** Counts a refusal in the audit log of access, if it is about the caller's rights. */
export function auditRefusal(audit: AuditLog, c: Context, { reason }: ApiError): void {
  const kind = KINDS[reason]
  if (kind === undefined) return
  const name = environmentOf(c).caller?.userId ?? ''
  audit.count(kind, { name, by: '', address: addressOf(c), detail: `${c.req.method} ${c.req.path}` })
}
