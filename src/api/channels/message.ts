import type { z } from 'zod'
import type { RefusalReason } from '../reasons.js'
import type { Needs } from '../route.js'
import type { NamesData, ObjectData, ValuesOf } from './message-data.js'

/**
 * The right that a message needs, as for routes: none (`visit`), that of readers of market data, or a scope
 * for the user whom it is about. See `userOf`.
 */
export type MessageNeeds = Extract<Needs, 'visit' | 'markets' | 'read' | 'trade'>

/** The cost of a message, in points of the budgets of its connection, user, key and address. */
export interface MessageCost {
  /** Charged for each name, or for the message; the message is refused once a budget is spent. */
  readonly points: number
  /** Charged once it was permitted. */
  readonly handling?: number
  /** Set if it is handled even with the budget spent: it saves work. */
  readonly isNeverRefused?: true
}

/** A reply to one client, as documented. */
export interface Reply {
  readonly event: string
  readonly says: string
  /** Its fields beside the event and the id. */
  readonly fields: z.ZodRawShape
  readonly samples: readonly object[]
}

/**
 * One request of clients over WebSocket, declared once. `ws` binds its handler to it; reading, the words for
 * unknown verbs, limits, guards, the document and the table of rights derive from it.
 */
export interface MessageBase {
  readonly verb: string
  readonly needs: MessageNeeds
  readonly answer: Reply
  /** Reasons for which it is refused, beside those that follow from its needs, its cost and its data. */
  readonly refuses: readonly RefusalReason[]
  readonly says: string
  /** An example of its data. */
  readonly sample: string | object
}

/** A request about the connection or its channels. */
export interface Message<Data = unknown> extends MessageBase {
  readonly cost: MessageCost
  /** How it is read. Names are handled one by one, and each is answered. */
  readonly data: NamesData | ObjectData
  /** Returns the user whom a message that needs a scope is about; by default the caller. */
  userOf?(data: Data): string | undefined
  /** Set if it is handled even when the credential has expired, since it may bring another. */
  readonly isRenewal?: true
}

type DataKind = NamesData | ObjectData

type DataOf<Kind extends DataKind> = Kind extends ObjectData<infer Fields> ? ValuesOf<Fields> : string

/** Declares a message, and keeps the type of its data for the handler. */
export function message<const Kind extends DataKind>(
  declared: Omit<Message<DataOf<Kind>>, 'data'> & { readonly data: Kind },
): Message<DataOf<Kind>> {
  return declared
}

/**
 * Returns whether exchanges that follow another one take it as well: all about channels of markets, nothing
 * about users and their credentials.
 */
export function isForStandbys({ needs, isRenewal }: Pick<Message, 'needs' | 'isRenewal'>): boolean {
  return needs === 'markets' || (needs === 'visit' && isRenewal === undefined)
}

/** Returns every reason for which a message may be refused. */
export function refusalsOf(message: MessageBase & Pick<Message, 'isRenewal'>): RefusalReason[] {
  const { needs, refuses } = message
  const reasons: RefusalReason[] = ['malformed_json', 'validation', 'too_many_requests']
  if (needs !== 'visit') reasons.push('token_missing', 'scope_missing')
  if (needs === 'read' || needs === 'trade') reasons.push('other_user')
  // For members a standby answers nothing about markets either.
  if (needs === 'markets' || !isForStandbys(message)) reasons.push('not_leader')
  return [...reasons, ...refuses]
}
