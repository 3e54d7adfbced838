import type { CommentAnswer } from '../../api/site/comment-schema.js'
import { toContracts } from '../../core/units.js'
import type { Archive } from '../../exchange/reads/archive.js'
import type { Comment } from '../../site/comments.js'

/**
 * Returns a comment as a reader sees it: without its text if it is hidden, except for operators; with what
 * its author holds at this moment if the author wants that.
 */
export function commentView(archive: Archive, comment: Comment, isForOperator: boolean): CommentAnswer {
  const { id, market, userId, at, body, hidden, showsPosition } = comment
  const isShown = hidden === undefined || isForOperator
  const held = showsPosition && isShown ? archive.contracts(userId, market) : undefined
  return {
    id,
    event_id: String(market),
    userid: userId,
    createdAt: new Date(at).toISOString(),
    text: isShown ? body : null,
    position: held === undefined ? null : { yes: toContracts(held.yes), no: toContracts(held.no) },
    hidden:
      hidden === undefined
        ? null
        : {
            at: new Date(hidden.at).toISOString(),
            by: isForOperator ? hidden.by : null,
            reason: isForOperator ? hidden.reason : null,
          },
  }
}
