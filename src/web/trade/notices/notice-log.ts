import type { Notice } from './notice.js'

/** Notices that are kept; older ones are in the portfolio’s history. */
const KEPT_MAX = 50
/** Notices that no message brought are this far apart; a thousand fit between two messages. */
const BETWEEN = 0.001

/** The notices of one user, as a browser remembers them. */
export interface NoticeLog {
  /** The last message that was looked at. */
  readonly seq: number
  /** The last message that the user has seen in the list. */
  readonly seenSeq: number
  /** Newest first. */
  readonly notices: readonly Notice[]
}

/** Returns a log that begins with the next message. */
export function emptyLog(seq: number): NoticeLog {
  return { seq, seenSeq: seq, notices: [] }
}

/** Adds what messages up to `seq` brought; a message that was there already changes nothing. */
export function addTo(log: NoticeLog, seq: number, added: readonly Notice[]): NoticeLog {
  if (seq <= log.seq) return log
  const notices = [...added.toReversed(), ...log.notices].slice(0, KEPT_MAX)
  return { ...log, seq, notices }
}

/** Adds news that no message brought: between the last message and the next. */
export function addBetween<Kind extends object>(log: NoticeLog, at: number, news: Kind): [NoticeLog, Notice] {
  const newest = Math.max(log.seq, log.notices[0]?.seq ?? 0)
  const notice = { ...news, at, seq: newest + BETWEEN } as unknown as Notice
  return [{ ...log, notices: [notice, ...log.notices].slice(0, KEPT_MAX) }, notice]
}

/** Marks everything as seen. */
export function seenAll(log: NoticeLog): NoticeLog {
  return { ...log, seenSeq: Math.max(log.seq, log.notices[0]?.seq ?? 0) }
}

export function unseenIn({ notices, seenSeq }: NoticeLog): number {
  return notices.filter(({ seq }) => seq > seenSeq).length
}

/**
 * Joins what this tab and another one know: each may have news that no message brought. All tabs keep the
 * same of those at one place, or each would give the others back what they lack, again and again.
 */
export function joined(own: NoticeLog, stored: NoticeLog | undefined): NoticeLog {
  if (stored === undefined) return own
  const all = new Map([...own.notices, ...stored.notices].map(notice => [identityOf(notice), notice]))
  return {
    seq: Math.max(own.seq, stored.seq),
    seenSeq: Math.max(own.seenSeq, stored.seenSeq),
    notices: [...all.values()]
      .sort((one, other) => other.seq - one.seq || (identityOf(one) < identityOf(other) ? 1 : -1))
      .slice(0, KEPT_MAX),
  }
}

/**
 * Returns true if a stored log lacks notices of this one: of two tabs that write at the same moment, one is
 * overwritten. A log that is ahead of the stored one may be from before the exchange was restored.
 */
export function isOverwritten(own: NoticeLog, stored: NoticeLog): boolean {
  const known = stored.notices.map(identityOf)
  return own.seq <= stored.seq && own.notices.some(notice => !known.includes(identityOf(notice)))
}

/** Two tabs may give one place between messages to different news. */
function identityOf({ seq, kind, eventId }: Notice): string {
  return `${seq} ${kind} ${eventId}`
}

/** Reads a stored log; undefined if there is none, or if it is not one. */
export function readLog(text: string | null | undefined): NoticeLog | undefined {
  try {
    const log = JSON.parse(text ?? '') as Partial<NoticeLog>
    const isLog = typeof log.seq === 'number' && typeof log.seenSeq === 'number' && Array.isArray(log.notices)
    return isLog ? (log as NoticeLog) : undefined
  } catch {
    return undefined
  }
}
