import type { MarketStatus } from '../../../client/shapes.js'

export type Statuses = Readonly<Record<string, MarketStatus>>

/** A change that a holder wants to know; results have notices of their own. */
export interface StatusChange {
  readonly eventId: string
  readonly status: 'open' | 'halted' | 'closed'
}

/** Returns the changes since the statuses were seen last; a market that is new has not changed. */
export function changesIn(before: Statuses, now: Statuses): StatusChange[] {
  const changes: StatusChange[] = []
  for (const [eventId, status] of Object.entries(now)) {
    const last = before[eventId]
    if (last === undefined || last === status) continue
    if (status === 'halted' || status === 'closed') changes.push({ eventId, status })
    if (status === 'open' && last === 'halted') changes.push({ eventId, status })
  }
  return changes
}
