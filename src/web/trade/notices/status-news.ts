import type { Market } from '../../../client/shapes.js'

type StatusNews = Pick<Market, 'event_id' | 'status'>
type Hear = (news: StatusNews) => void

const hearers = new Set<Hear>()

/** Calls back with each status that a channel on this page brings; returns how to stop. */
export function hearStatuses(hear: Hear): () => void {
  hearers.add(hear)
  return () => hearers.delete(hear)
}

/** Returns a function for one watch: given each update, it passes on a new status, and says if it was new. */
export function statusTeller(): (news: StatusNews) => boolean {
  const told = new Map<string, Market['status']>()
  return news => {
    if (told.get(news.event_id) === news.status) return false
    told.set(news.event_id, news.status)
    for (const hear of hearers) hear(news)
    return true
  }
}
