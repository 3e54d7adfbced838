import type { AuditLog } from '../../access/accounts/audit-log.js'
import type { By } from '../../core/command.js'
import type { Comment } from '../../site/comments.js'

type Moderation = 'comment_hidden' | 'comment_shown' | 'comment_deleted'

const SHOWN_LENGTH = 80

/** Writes what an operator is about to do with a comment to the audit log, before it is done. */
export function logModeration(
  audit: AuditLog,
  kind: Moderation,
  { market, id, userId, body }: Comment,
  { who, address }: Pick<By, 'who' | 'address'>,
  reason = '',
): void {
  const words = body.replaceAll('\n', ' ').slice(0, SHOWN_LENGTH)
  const detail = `event ${market}, comment ${id}${reason === '' ? '' : `: ${reason}`} (${words})`
  audit.write(kind, { name: userId, by: who, address, detail })
}
