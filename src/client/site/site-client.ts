import type { ListOptions } from '../lists.js'
import { listRows } from '../lists.js'
import type { Rest } from '../rest.js'
import type * as Shapes from '../shapes.js'
import type { OfUser, WhichUser } from '../which-user.js'

/** Which comments of all events to list. */
export interface CommentListOptions extends ListOptions {
  /** A part of the text, in any case. */
  readonly q?: string | undefined
  readonly userid?: string | undefined
  readonly status?: 'visible' | 'hidden' | undefined
}

/**
 * Calls about what people put on the site: settings, watchlists, comments. Nothing of it changes orders or
 * money.
 */
export class Site {
  readonly #rest: Rest
  readonly #users: WhichUser

  constructor(rest: Rest, users: WhichUser) {
    this.#rest = rest
    this.#users = users
  }

  /** Returns what pages remember for a user. */
  async fetchSettings(which: OfUser = {}): Promise<Shapes.UserSettings['settings']> {
    const path = await this.#path(which, 'settings')
    return (await this.#rest.call<Shapes.UserSettings>({ method: 'GET', path })).settings
  }

  /** Replaces everything that pages remember for a user. */
  async saveSettings(settings: Shapes.UserSettings['settings'], which: OfUser = {}): Promise<void> {
    await this.#rest.call({ method: 'PUT', path: await this.#path(which, 'settings'), body: { settings } })
  }

  /** Returns the codes of the events that a user watches, the latest first. */
  async fetchWatchlist(which: OfUser = {}): Promise<readonly string[]> {
    const path = await this.#path(which, 'watchlist')
    return (await this.#rest.call<Shapes.Watchlist>({ method: 'GET', path })).events
  }

  /** Returns the comments under an event, newest first. */
  fetchComments(code: string, { limit }: ListOptions = {}): Promise<Shapes.Comment[]> {
    return listRows(this.#rest, { path: commentsOf(code), field: 'comments', limit })
  }

  /** Returns the comments under all events, newest first, with the texts of hidden ones; for operators. */
  fetchAllComments({ limit, ...query }: CommentListOptions = {}): Promise<Shapes.ListedComment[]> {
    return listRows(this.#rest, { path: '/comments', field: 'comments', query, limit })
  }

  /** Returns the comments that mention a user, newest first. */
  async fetchMentions({ limit, ...which }: ListOptions & OfUser = {}): Promise<Shapes.Comment[]> {
    return listRows(this.#rest, { path: await this.#path(which, 'mentions'), field: 'comments', limit })
  }

  /** Posts a comment under an event; returns it as others see it. It is not repeated without an answer. */
  postComment(code: string, comment: Shapes.CommentRequest): Promise<Shapes.Comment> {
    const body = { userid: this.#users.sent(comment), ...comment }
    return this.#rest.call({ method: 'POST', path: commentsOf(code), body })
  }

  /** Deletes a user's comment: one's own, or for operators anyone's. */
  async deleteComment(code: string, id: number, which: OfUser = {}): Promise<void> {
    const query = { userid: this.#users.sent(which) }
    await this.#rest.call({ method: 'DELETE', path: `${commentsOf(code)}/${id}`, query })
  }

  /** Deletes a comment of any user; for operators. */
  async removeComment(id: number): Promise<void> {
    await this.#rest.call({ method: 'DELETE', path: `/comments/${id}` })
  }

  /** Hides a comment; for operators. The reason is kept in the audit log. */
  hideComment(code: string, id: number, reason: string): Promise<Shapes.Comment> {
    return this.#rest.call({ method: 'POST', path: `${commentsOf(code)}/${id}/hide`, body: { reason } })
  }

  /** Shows a hidden comment again; for operators. */
  unhideComment(code: string, id: number): Promise<Shapes.Comment> {
    return this.#rest.call({ method: 'POST', path: `${commentsOf(code)}/${id}/unhide` })
  }

  /**
   * Returns the best users by profit, volume or calibration; by default by profit, over 30 days; or in a
   * season. `own` is the line of `userid`.
   */
  fetchLeaderboard(
    query: {
      by?: Shapes.Ranking
      window?: Shapes.Span
      season?: number | undefined
      userid?: string | undefined
    } = {},
  ): Promise<Shapes.Leaderboard> {
    return this.#rest.call({ method: 'GET', path: '/leaderboard', query })
  }

  /** Returns the latest 20 orders that filled when they came, newest first: of all events, or of one. */
  async fetchActivity(query: { event_id?: string | undefined } = {}): Promise<readonly Shapes.Taking[]> {
    return (await this.#rest.call<{ activity: Shapes.Taking[] }>({ method: 'GET', path: '/activity', query }))
      .activity
  }

  /** Returns the public profile of a user; rejects with 404 if it is private. */
  fetchProfile(userid: string): Promise<Shapes.Profile> {
    return this.#rest.call({ method: 'GET', path: `/profiles/${encodeURIComponent(userid)}` })
  }

  /** Returns whether others see a user's profile and figures. */
  async fetchProfileChoice(which: OfUser = {}): Promise<boolean> {
    const path = await this.#path(which, 'profile')
    return (await this.#rest.call<Shapes.ProfileChoice>({ method: 'GET', path })).is_public
  }

  /** Chooses whether others see a user's profile and figures. */
  async saveProfileChoice(is_public: boolean, which: OfUser = {}): Promise<void> {
    const path = await this.#path(which, 'profile')
    await this.#rest.call({ method: 'PUT', path, body: { is_public } })
  }

  /** Adds an event to a user's watchlist; returns the list. */
  addToWatchlist(code: string, which: OfUser = {}): Promise<readonly string[]> {
    return this.#changeWatchlist('PUT', code, which)
  }

  /** Removes an event from a user's watchlist; returns the list. */
  removeFromWatchlist(code: string, which: OfUser = {}): Promise<readonly string[]> {
    return this.#changeWatchlist('DELETE', code, which)
  }

  async #changeWatchlist(method: 'PUT' | 'DELETE', code: string, which: OfUser): Promise<readonly string[]> {
    const path = await this.#path(which, `watchlist/${encodeURIComponent(code)}`)
    return (await this.#rest.call<Shapes.Watchlist>({ method, path })).events
  }

  async #path(which: OfUser, what: string): Promise<string> {
    return `/portfolio/${encodeURIComponent(await this.#users.named(which))}/${what}`
  }
}

function commentsOf(code: string): string {
  return `/events/${encodeURIComponent(code)}/comments`
}
