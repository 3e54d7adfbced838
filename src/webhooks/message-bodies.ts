import type { WebhookEvent } from '../api/operator/webhook-shape.js'
import type { Outcome } from '../core/market.js'
import type { Digest } from './weekly-digest.js'

/** An event or a group as messages tell of it. */
export interface Subject {
  readonly code: number
  readonly isGroup: boolean
  readonly title: string
  /** The outcome's own title in its group. */
  readonly label: string | undefined
  /** The chance of YES, from 0 to 1; undefined without prices, and for groups. */
  readonly chance: number | undefined
  /** When trading ends. */
  readonly endsAt: number | undefined
  /** The group that an event is an outcome of. */
  readonly group: number | undefined
}

/** Something that endpoints hear of. */
export interface News {
  readonly kind: WebhookEvent | 'test'
  readonly at: number
  readonly subject?: Subject
  readonly outcome?: Outcome
  /** Of an exclusive group: the title of what came true. */
  readonly winner?: string
  /** The change of the chance, from -1 to 1. */
  readonly change?: number
  /** More words on a trouble of the exchange. */
  readonly detail?: string
  readonly digest?: Digest
}

/** The exchange, as messages name it. */
export interface Sender {
  /** The address of its pages, without a trailing slash; undefined if it is not known. */
  readonly publicUrl: string | undefined
  readonly name: string
  readonly language: 'en' | 'hi'
  /** The IANA name. */
  readonly timeZone: string
}

/** Returns the body of a message, as Standard Webhooks recommends: type, time and data. */
export function standardBody(news: News, sender: Sender): string {
  const { kind, at, subject, outcome, winner, change, detail, digest } = news
  const data = {
    ...(subject && subjectFields(subject, sender)),
    ...(outcome !== undefined && { outcome }),
    ...(winner !== undefined && { winner }),
    ...(change !== undefined && { change: rounded(change) }),
    ...(detail !== undefined && { detail }),
    ...(digest && digestFields(digest, sender)),
  }
  return JSON.stringify({ type: kind, timestamp: new Date(at).toISOString(), data })
}

function digestFields({ open, created, top }: Digest, sender: Sender) {
  const line = ({ code, title, chance }: Digest['top'][number]) => ({
    event_id: String(code),
    title,
    url: linkTo({ code, isGroup: false }, sender) ?? null,
    chance: chance === null ? null : rounded(chance),
  })
  return { open, created, top: top.map(line) }
}

function subjectFields(subject: Subject, sender: Sender) {
  const { code, isGroup, title, chance, endsAt } = subject
  return {
    [isGroup ? 'group' : 'event_id']: String(code),
    title,
    ...(subject.label !== undefined && { label: subject.label }),
    ...(subject.group !== undefined && { group: String(subject.group) }),
    url: linkTo(subject, sender) ?? null,
    ...(!isGroup && { chance: chance === undefined ? null : rounded(chance) }),
    ...(endsAt !== undefined && { end_date: new Date(endsAt).toISOString() }),
  }
}

/** Rounds a chance to four decimals. */
function rounded(chance: number): number {
  return Math.round(chance * 10_000) / 10_000
}

/** Returns the address of the page of an event or a group. */
export function linkTo(
  { code, isGroup }: Pick<Subject, 'code' | 'isGroup'>,
  { publicUrl }: Sender,
): string | undefined {
  return publicUrl === undefined ? undefined : `${publicUrl}/${isGroup ? 'group' : 'market'}/${code}`
}
