import type { Context } from 'hono'
import { Hono } from 'hono'
import type { AuditLog } from '../../access/accounts/audit-log.js'
import { isOperator } from '../../access/rights.js'
import { DONE } from '../../api/answer-texts.js'
import { ApiError } from '../../api/api-error.js'
import { userIdOf } from '../../api/new-user-id.js'
import { REFUSED } from '../../api/refusal-texts.js'
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
import { byOf, senderOf } from '../middleware/operator-guard.js'
import { pageOf } from '../middleware/query.js'
import { marketOf } from '../routes/event-routes.js'
import { commentView } from './comment-view.js'
import { unlessRefused } from './site-writes.js'

interface CommentRooms {
  readonly exchange: Exchange
  readonly site: SiteStore
  readonly audit: AuditLog
  readonly guards: OperatorGuards
}

type Moderation = 'comment_hidden' | 'comment_shown' | 'comment_deleted'
type Sender = ReturnType<typeof senderOf>

const SHOWN_IN_AUDIT = 80

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
    const { limit, after } = pageOf(c, numberIn)
    const isForOperator = isOperator(callerOf(c))
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
    if (comment.userId !== userIdOf(this.#exchange.archive, userid)) throw notFound()
    // Before the deletion: nobody's comment is deleted by an operator without a line there.
    if (isOperator(caller) && caller.userId !== comment.userId) {
      this.#log('comment_deleted', comment, senderOf(c, caller))
    }
    this.#site.comments.remove(comment)
    return success(c, 200, DONE.commentDeleted)
  }

  async hide(c: Context): Promise<Response> {
    const { reason } = validate(hidingSchema, await readJson(c))
    const comment = this.#commentOf(c)
    const by = byOf(c)
    this.#log('comment_hidden', comment, by, reason)
    this.#site.comments.hide(comment, by.who, reason)
    return success(c, 200, DONE.commentHidden, this.#view(this.#commentOf(c), true))
  }

  async unhide(c: Context): Promise<Response> {
    const comment = this.#commentOf(c)
    if (comment.hidden !== undefined) {
      this.#log('comment_shown', comment, byOf(c))
      this.#site.comments.show(comment)
    }
    return success(c, 200, DONE.commentShown, this.#view(this.#commentOf(c), true))
  }

  /** Writes to the audit log first: nothing is hidden without a line there. */
  #log(kind: Moderation, comment: Comment, { who, address }: Sender, reason = ''): void {
    const { market, id, userId, body } = comment
    const words = body.replaceAll('\n', ' ').slice(0, SHOWN_IN_AUDIT)
    const detail = `event ${market}, comment ${id}${reason === '' ? '' : `: ${reason}`} (${words})`
    this.#audit.write(kind, { name: userId, by: who, address, detail })
  }

  #commentOf(c: Context): Comment {
    const { code } = marketOf(this.#exchange, c.req.param('code') ?? '').terms
    const id = numberIn(c.req.param('number') ?? '')
    const comment = id === undefined ? undefined : this.#site.comments.find(code, id)
    if (comment === undefined) throw notFound()
    return comment
  }

  #view(comment: Comment, isForOperator: boolean): CommentAnswer {
    return commentView(this.#exchange.archive, comment, isForOperator)
  }
}

/** Returns the number that a comment's address or a cursor names. */
export function numberIn(text: string): number | undefined {
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined
}

function notFound(): ApiError {
  return new ApiError(404, REFUSED.commentNotFound, 'comment_not_found')
}
