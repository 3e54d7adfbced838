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
import { success } from '../middleware/envelope.js'
import { answerPage } from '../middleware/list-page.js'
import { pageOf } from '../middleware/query.js'
import { marketOf } from '../../doors/market-of.js'
import { commentNotFound, commentNumber } from './comment-numbers.js'
import { commentView } from './comment-view.js'
import { logModeration } from './moderation-log.js'
import { userFor } from './settings-handlers.js'
import { unlessRefused } from './site-writes.js'
import { checkUser, withOwnUser } from '../../doors/own-user.js'
import { byOf } from '../routing/needs.js'
import { addressOf } from '../routing/sender.js'
import { handle } from '../routing/handle.js'
import type { Binding, Call } from '../routing/handle.js'
import { commentRoutes } from '../../api/site/comment-routes.js'

interface CommentRooms {
  readonly exchange: Exchange
  readonly site: SiteStore
  readonly audit: AuditLog
  /** Returns the user id that a name in a comment means; undefined if there is no such user. */
  readonly userNamed: (name: string) => string | undefined
}

/** Serves the comments under events. Hidden ones are shown without their text, except to operators. */
export function commentHandlers(rooms: CommentRooms): Binding[] {
  const routes = new CommentRoutes(rooms)
  return [
    handle(commentRoutes.listComments, call => routes.list(call)),
    handle(commentRoutes.listMentions, call => routes.listMentions(call)),
    handle(commentRoutes.postComment, call => routes.post(call)),
    handle(commentRoutes.deleteComment, call => routes.remove(call)),
    handle(commentRoutes.hideComment, call => routes.hide(call)),
    handle(commentRoutes.unhideComment, call => routes.unhide(call)),
  ]
}

class CommentRoutes {
  readonly #exchange: Exchange
  readonly #site: SiteStore
  readonly #audit: AuditLog
  readonly #userNamed: CommentRooms['userNamed']

  constructor({ exchange, site, audit, userNamed }: CommentRooms) {
    this.#exchange = exchange
    this.#site = site
    this.#audit = audit
    this.#userNamed = userNamed
  }

  list(call: Call): Promise<Response> {
    const { code } = marketOf(this.#exchange, call.params.code ?? '').terms
    const { limit, after } = pageOf(call, commentNumber)
    const isForOperator = seesHidden(call)
    return answerPage(call, {
      message: DONE.commentsFetched,
      field: 'comments',
      rows: this.#site.comments.list(code, after, limit + 1),
      limit,
      view: comment => this.#view(comment, isForOperator),
      cursorOf: ({ id }) => String(id),
    })
  }

  /** Lists the comments that mention a user, as any reader sees them. */
  listMentions(call: Call): Promise<Response> {
    const userId = userFor(this.#exchange, call, 'read')
    const { limit, after } = pageOf(call, commentNumber)
    const { comments, next } = this.#site.comments.mentioning(userId, after, limit)
    return answerPage(call, {
      message: DONE.commentsFetched,
      field: 'comments',
      rows: comments,
      limit,
      view: comment => this.#view(comment, false),
      cursorOf: ({ id }) => String(id),
      next: next === undefined ? null : String(next),
    })
  }

  async post(call: Call): Promise<Response> {
    const caller = call.caller
    const body = validate(commentSchema, withOwnUser(caller, await readJson(call)))
    checkUser(caller, body.userid, 'trade')
    const { code } = marketOf(this.#exchange, call.params.code ?? '').terms
    const userId = userIdOf(this.#exchange.archive, body.userid)
    const { text, show_position: showsPosition = false } = body
    const mentioned = mentionedUsers(text, userId, this.#userNamed)
    const draft = { market: code, userId, body: text, showsPosition, mentioned }
    const made = this.#site.comments.post(draft)
    return success(call, 201, DONE.commentPosted, this.#view(unlessRefused(made), false))
  }

  /** Deletes a comment of the user who is named; someone else's is not found, as if it did not exist. */
  async remove(call: Call): Promise<Response> {
    const caller = call.caller
    const { userid } = validate(ownCommentQuery, withOwnUser(caller, call.c.req.query()))
    checkUser(caller, userid, 'trade')
    const comment = this.#commentOf(call)
    if (comment.userId !== userIdOf(this.#exchange.archive, userid)) throw commentNotFound()
    // Before the deletion: nobody's comment is deleted by an operator without a line there.
    if (isOperator(caller) && caller.userId !== comment.userId) {
      const by = { who: whoOf(caller), address: addressOf(call.c) }
      logModeration(this.#audit, 'comment_deleted', comment, by)
    }
    this.#site.comments.remove(comment)
    return success(call, 200, DONE.commentDeleted)
  }

  async hide(call: Call): Promise<Response> {
    const { reason } = validate(hidingSchema, await readJson(call))
    const comment = this.#commentOf(call)
    const by = byOf(call)
    logModeration(this.#audit, 'comment_hidden', comment, by, reason)
    this.#site.comments.hide(comment, by.who, reason)
    return success(call, 200, DONE.commentHidden, this.#view(this.#commentOf(call), seesHidden(call)))
  }

  async unhide(call: Call): Promise<Response> {
    const comment = this.#commentOf(call)
    if (comment.hidden !== undefined) {
      logModeration(this.#audit, 'comment_shown', comment, byOf(call))
      this.#site.comments.show(comment)
    }
    return success(call, 200, DONE.commentShown, this.#view(this.#commentOf(call), seesHidden(call)))
  }

  #commentOf(call: Call): Comment {
    const { code } = marketOf(this.#exchange, call.params.code ?? '').terms
    const id = commentNumber(call.params.number ?? '')
    const comment = id === undefined ? undefined : this.#site.comments.find(id, code)
    if (comment === undefined) throw commentNotFound()
    return comment
  }

  #view(comment: Comment, isForOperator: boolean): CommentAnswer {
    return commentView(this.#exchange.archive, comment, isForOperator)
  }
}

/** Operators read hidden comments, with a credential that may read. */
function seesHidden(call: Call): boolean {
  const caller = call.caller
  return isOperator(caller) && caller.scopes.has('read')
}

/** The most users whom one comment mentions; further names stay text. */
const MENTIONS_MAX = 5
/** The most names that are looked up, whether or not they are of users. */
const NAMES_MAX = 20
/** Matches `@name`, but not within a word or an e-mail address. Joiners are part of words in some scripts. */
const NAME = /(?<![\p{L}\p{M}\p{N}._@-])@([\p{L}\p{M}\p{N}\p{Join_Control}._-]{1,128})/gu

/**
 * Returns the users whom a text mentions, each once and without its author.
 *
 * @param userNamed returns the user id that a written name means; undefined if there is no such user
 */
function mentionedUsers(
  text: string,
  author: string,
  userNamed: (name: string) => string | undefined,
): readonly string[] {
  const users = new Set<string>()
  for (const [, written = ''] of [...text.matchAll(NAME)].slice(0, NAMES_MAX)) {
    // A name may end with a full stop, and so may a sentence.
    const user = userNamed(written) ?? userNamed(written.replace(/[._-]+$/, ''))
    if (user !== undefined && user !== author) users.add(user)
    if (users.size === MENTIONS_MAX) break
  }
  return [...users]
}
