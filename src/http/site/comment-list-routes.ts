import { Hono } from 'hono'
import { DONE } from '../../api/answer-texts.js'
import type { ListedCommentAnswer } from '../../api/site/comment-schema.js'
import { commentListQuery } from '../../api/site/comment-schema.js'
import type { Exchange } from '../../exchange/exchange.js'
import type { Comment } from '../../site/comments.js'
import type { SiteStore } from '../../site/site-store.js'
import { answerPage } from '../middleware/list-page.js'
import type { OperatorGuards } from '../middleware/operator-guard.js'
import { pageOf, queryOf } from '../middleware/query.js'
import { numberIn } from './comment-routes.js'
import { commentView } from './comment-view.js'

interface CommentListRooms {
  readonly exchange: Exchange
  readonly site: SiteStore
  readonly guards: OperatorGuards
}

/** Serves the newest comments of all events to operators. */
export function commentListRoutes({ exchange, site, guards }: CommentListRooms): Hono {
  const view = (comment: Comment): ListedCommentAnswer => ({
    ...commentView(exchange.archive, comment, true),
    title: exchange.marketWritten(String(comment.market))?.listing.title ?? '',
  })
  return new Hono().get('/comments', guards.read, c => {
    const { q, userid: userId, status } = queryOf(c, commentListQuery)
    const { limit, after: before } = pageOf(c, numberIn, commentListQuery)
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
}
