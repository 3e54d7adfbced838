import type { Context } from 'hono'
import { Hono } from 'hono'
import type { AuditLog } from '../../access/accounts/audit-log.js'
import { isOperator, whoOf } from '../../access/rights.js'
import { DONE } from '../../api/answer-texts.js'
import { userIdOf } from '../../api/new-user-id.js'
import type { CommentAnswer } from '../../api/site/comment-schema.js'
import { commentSchema, hidingSchema, ownCommentQuery } from '../../api/site/comment-schema.js'
import { validate } from '../../api/validation.js'
import type { Exchange } from '../../exchange/exchange.js'
import type { Comment } from '../../site/comments.js'
import type { SiteStore } from '../../site/site-store.js'
import { readJson } from '../middleware/body.js'
import { callerOf, callerWith, checkUser, withOwnUser } from '../middleware/caller.js'
import { success } from '../middleware/envelope.js'
import { answerPage } from '../middleware/list-page.js'
import type { OperatorGuards } from '../middleware/operator-guard.js'
import { addressOf } from '../middleware/identify-callers.js'
import { byOf } from '../middleware/operator-guard.js'
import { pageOf } from '../middleware/query.js'
import { marketOf } from '../routes/event-handlers.js'
import { commentNotFound, commentNumber } from './comment-numbers.js'
import { commentView } from './comment-view.js'
import { logModeration } from './moderation-log.js'
import { unlessRefused } from './site-writes.js'

interface CommentRooms {
  readonly exchange: Exchange
  readonly site: SiteStore
  readonly audit: AuditLog
  readonly guards: OperatorGuards
}

/** Serves the comments under events. Hidden ones are shown without their text, except to operators. */
export function commentRoutes({ exchange, site, audit, guards }: CommentRooms): Hono {
  const routes = new CommentRoutes(exchange, site, audit)
  return new Hono()
    .get('/:code/comments', c => routes.list(c))
    .post('/:code/comments', c => routes.post(c))
    .delete('/:code/comments/:number', c => routes.remove(c))
    .post('/:code/comments/:number/hide', guards.operate, c => routes.hide(c))
    .post('/:code/comments/:number/unhide', guards.operate, c => routes.unhide(c))
}

class CommentRoutes {
  readonly #exchange: Exchange
  readonly #site: SiteStore
  readonly #audit: AuditLog

  constructor(exchange: Exchange, site: SiteStore, audit: AuditLog) {
    this.#exchange = exchange
    this.#site = site
    this.#audit = audit
  }

  list(c: Context): Promise<Response> {
    const { code } = marketOf(this.#exchange, c.req.param('code') ?? '').terms
    const { limit, after } = pageOf(c, commentNumber)
    const isForOperator = seesHidden(c)
    return answerPage(c, {
      message: DONE.commentsFetched,
      field: 'comments',
      rows: this.#site.comments.list(code, after, limit + 1),
      limit,
      view: comment => this.#view(comment, isForOperator),
      cursorOf: ({ id }) => String(id),
    })
  }

  async post(c: Context): Promise<Response> {
    const caller = callerWith(c, 'trade')
    const body = validate(commentSchema, withOwnUser(caller, await readJson(c)))
    checkUser(caller, body.userid, 'trade')
    const { code } = marketOf(this.#exchange, c.req.param('code') ?? '').terms
    const userId = userIdOf(this.#exchange.archive, body.userid)
    const { text, show_position: showsPosition = false } = body
    const made = this.#site.comments.post({ market: code, userId, body: text, showsPosition })
    return success(c, 201, DONE.commentPosted, this.#view(unlessRefused(made), false))
  }

  /** Deletes a comment of the user who is named; somebody else's is not found, as if it did not exist. */
  async remove(c: Context): Promise<Response> {
    const caller = callerWith(c, 'trade')
    const { userid } = validate(ownCommentQuery, withOwnUser(caller, c.req.query()))
    checkUser(caller, userid, 'trade')
    const comment = this.#commentOf(c)
    if (comment.userId !== userIdOf(this.#exchange.archive, userid)) throw commentNotFound()
    // Before the deletion: nobody's comment is deleted by an operator without a line there.
    if (isOperator(caller) && caller.userId !== comment.userId) {
      const by = { who: whoOf(caller), address: addressOf(c) }
      logModeration(this.#audit, 'comment_deleted', comment, by)
    }
    this.#site.comments.remove(comment)
    return success(c, 200, DONE.commentDeleted)
  }

  async hide(c: Context): Promise<Response> {
    const { reason } = validate(hidingSchema, await readJson(c))
    const comment = this.#commentOf(c)
    const by = byOf(c)
    logModeration(this.#audit, 'comment_hidden', comment, by, reason)
    this.#site.comments.hide(comment, by.who, reason)
    return success(c, 200, DONE.commentHidden, this.#view(this.#commentOf(c), seesHidden(c)))
  }

  async unhide(c: Context): Promise<Response> {
    const comment = this.#commentOf(c)
    if (comment.hidden !== undefined) {
      logModeration(this.#audit, 'comment_shown', comment, byOf(c))
      this.#site.comments.show(comment)
    }
    return success(c, 200, DONE.commentShown, this.#view(this.#commentOf(c), seesHidden(c)))
  }

  #commentOf(c: Context): Comment {
    const { code } = marketOf(this.#exchange, c.req.param('code') ?? '').terms
    const id = commentNumber(c.req.param('number') ?? '')
    const comment = id === undefined ? undefined : this.#site.comments.find(id, code)
    if (comment === undefined) throw commentNotFound()
    return comment
  }

  #view(comment: Comment, isForOperator: boolean): CommentAnswer {
    return commentView(this.#exchange.archive, comment, isForOperator)
  }
}

/** Operators read hidden comments, with a credential that may read. */
function seesHidden(c: Context): boolean {
  const caller = callerOf(c)
  return isOperator(caller) && caller.scopes.has('read')
}
