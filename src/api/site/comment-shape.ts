/** A comment under an event. Its text is plain text, to be escaped where it is shown. */
export interface Comment {
  readonly id: number
  readonly event_id: string
  readonly userid: string
  readonly createdAt: string
  /** Null if an operator has hidden it; operators read it all the same. */
  readonly text: string | null
  /** Contracts of the author at this moment, if the author shows them. */
  readonly position: { readonly yes: number; readonly no: number } | null
  /** Set if an operator has hidden it; who did and why is for operators. */
  readonly hidden: { readonly at: string; readonly by: string | null; readonly reason: string | null } | null
}

/** A comment in the list of all events, for operators. */
export interface ListedComment extends Comment {
  /** The title of the event. */
  readonly title: string
}

/** A new comment. */
export interface CommentRequest {
  readonly userid?: string
  readonly text: string
  /** Lets others see the author's contracts in the event beside the comment; false by default. */
  readonly show_position?: boolean
}
