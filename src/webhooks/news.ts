import type { WebhookEvent } from '../api/operator/webhook-shape.js'
import type { MarketStatus } from '../core/market.js'
import type { Notice } from '../site/webhook-notices.js'
import type { Happening } from './journal-messages.js'
import type { News, Subject } from './message-bodies.js'
import type { Digest } from './weekly-digest.js'

type Find = (code: number) => Subject | undefined

const OF_STATUS: Readonly<Partial<Record<MarketStatus, WebhookEvent>>> = {
  halted: 'halted',
  closed: 'awaiting_result',
}

/** Returns the kind of event that a happening is to endpoints; undefined if none hears of it. */
export function kindOf(happening: Happening): WebhookEvent | undefined {
  return happening.kind === 'moved_to' ? OF_STATUS[happening.status] : happening.kind
}

/** Returns true for an outcome of a group that moved together with another one: the group is named once. */
export function isToldAlready(happening: Happening, part: readonly Happening[], find: Find): boolean {
  if (happening.kind !== 'moved_to') return false
  const { sequence, index, status, code } = happening
  const group = find(code)?.group
  if (group === undefined) return false
  return part.some(
    one =>
      one.kind === 'moved_to' &&
      one.sequence === sequence &&
      one.index < index &&
      one.status === status &&
      find(one.code)?.group === group,
  )
}

/** Returns the news of a happening. A move of an outcome is news of its group. */
export function newsOf(happening: Happening, find: Find): News & { readonly kind: WebhookEvent } {
  const kind = kindOf(happening) ?? 'created'
  const found = find(happening.code)
  const group = happening.kind === 'moved_to' && found?.group !== undefined ? find(found.group) : undefined
  const subject = group ?? found
  const told = { kind, at: happening.at, ...(subject && { subject }) }
  if (happening.kind !== 'resolved') return told
  const { results } = happening
  const won = results.find(({ outcome }) => outcome === 'yes')
  if (results.length === 1 || won === undefined) {
    return { ...told, ...(results[0] && { outcome: results[0].outcome }) }
  }
  const winner = find(won.market)
  return { ...told, outcome: 'yes', ...(winner && { winner: winner.label ?? winner.title }) }
}

/** Returns the news of a notice: of an event as it was then, or of the exchange itself. */
export function newsOfNotice({ kind, at, code, chance, change, detail }: Notice, find: Find): News {
  const found = code === null ? undefined : find(code)
  const subject = found && chance !== null ? { ...found, chance } : found
  const isDigest = kind === 'weekly_digest'
  return {
    kind: kind as WebhookEvent,
    at,
    ...(subject && { subject }),
    ...(change !== null && { change }),
    ...(detail !== null && (isDigest ? { digest: JSON.parse(detail) as Digest } : { detail })),
  }
}
