import { Hono } from 'hono'
import type { AuditLog } from '../../access/accounts/audit-log.js'
import { DONE } from '../../api/answer-texts.js'
import type { ListedCommentAnswer } from '../../api/site/comment-schema.js'
import { commentListQuery } from '../../api/site/comment-schema.js'
import type { Exchange } from '../../exchange/exchange.js'
import type { Comment } from '../../site/comments.js'
import type { SiteStore } from '../../site/site-store.js'
import { success } from '../middleware/envelope.js'
import { answerPage } from '../middleware/list-page.js'
import type { OperatorGuards } from '../middleware/operator-guard.js'
import { byOf } from '../middleware/operator-guard.js'
import { pageOf, queryOf } from '../middleware/query.js'
import { commentNotFound, commentNumber } from './comment-numbers.js'
import { commentView } from './comment-view.js'
import { logModeration } from './moderation-log.js'

interface CommentListRooms {
  readonly exchange: Exchange
  readonly site: SiteStore
  readonly audit: AuditLog
  readonly guards: OperatorGuards
}

/** Serves the newest comments of all events to operators, who may delete any. */
export function commentListRoutes({ exchange, site, audit, guards }: CommentListRooms): Hono {
  const view = (comment: Comment): ListedCommentAnswer => ({
    ...commentView(exchange.archive, comment, true),
    title: exchange.marketWritten(String(comment.market))?.listing.title ?? '',
  })
  const list = new Hono().get('/comments', guards.read, c => {
    const { q, userid: userId, status } = queryOf(c, commentListQuery)
    const { limit, after: before } = pageOf(c, commentNumber, commentListQuery)
    const isHidden = status === undefined ? undefined : status === 'hidden'
    const found = site.comments.search({ q, userId, isHidden, before, lengthMax: limit })
    return answerPage(c, {
      message: DONE.commentsFetched,
      field: 'comments',
      rows: found.comments,
      limit,
      view,
      cursorOf: ({ id }) => String(id),
      // The next page also goes on after comments that were read and did not match.
      next: found.next === undefined ? null : String(found.next),
    })
  })
  return list.delete('/comments/:number', guards.operate, c => {
    const id = commentNumber(c.req.param('number'))
    const comment = id === undefined ? undefined : site.comments.find(id)
    if (comment === undefined) throw commentNotFound()
    logModeration(audit, 'comment_deleted', comment, byOf(c))
    site.comments.remove(comment)
    return success(c, 200, DONE.commentDeleted)
  })
}
