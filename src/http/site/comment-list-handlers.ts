import type { AuditLog } from '../../access/accounts/audit-log.js'
import { DONE } from '../../api/answer-texts.js'
import type { ListedCommentAnswer } from '../../api/site/comment-schema.js'
import { commentListQuery } from '../../api/site/comment-schema.js'
import type { Exchange } from '../../exchange/exchange.js'
import type { Comment } from '../../site/comments.js'
import type { SiteStore } from '../../site/site-store.js'
import { success } from '../middleware/envelope.js'
import { answerPage } from '../middleware/list-page.js'
import { pageOf, queryOf } from '../middleware/query.js'
import { commentNotFound, commentNumber } from './comment-numbers.js'
import { commentView } from './comment-view.js'
import { logModeration } from './moderation-log.js'
import { byOf } from '../routing/needs.js'
import { handle } from '../routing/handle.js'
import type { Binding } from '../routing/handle.js'
import { commentRoutes } from '../../api/site/comment-routes.js'

interface CommentListRooms {
  readonly exchange: Exchange
  readonly site: SiteStore
  readonly audit: AuditLog
}

/** Serves the newest comments of all events to operators, who may delete any. */
export function commentListHandlers({ exchange, site, audit }: CommentListRooms): Binding[] {
  const view = (comment: Comment): ListedCommentAnswer => ({
    ...commentView(exchange.archive, comment, true),
    title: exchange.marketWritten(String(comment.market))?.listing.title ?? '',
  })
  return [
    handle(commentRoutes.listAllComments, call => {
      const { q, userid: userId, status } = queryOf(call, commentListQuery)
      const { limit, after: before } = pageOf(call, commentNumber, commentListQuery)
      const isHidden = status === undefined ? undefined : status === 'hidden'
      const found = site.comments.search({ q, userId, isHidden, before, lengthMax: limit })
      return answerPage(call, {
        message: DONE.commentsFetched,
        field: 'comments',
        rows: found.comments,
        limit,
        view,
        cursorOf: ({ id }) => String(id),
        // The next page also goes on after comments that were read and did not match.
        next: found.next === undefined ? null : String(found.next),
      })
    }),
    handle(commentRoutes.removeComment, call => {
      const id = commentNumber(call.params.number)
      const comment = id === undefined ? undefined : site.comments.find(id)
      if (comment === undefined) throw commentNotFound()
      logModeration(audit, 'comment_deleted', comment, byOf(call))
      site.comments.remove(comment)
      return success(call, 200, DONE.commentDeleted)
    }),
  ]
}
