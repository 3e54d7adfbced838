import type { Cost, RouteFacts } from '../../api/route.js'

const READING_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])
const READ: Cost = { kind: 'reads', points: 1 }
const CHANGE: Cost = { kind: 'reads', points: 10 }
/** A list by words waits for the reader of histories. */
const SEARCH: Cost = { kind: 'reads', points: 5, history: true }

/** Returns the cost of a request; undefined if it is free. Without a route the method decides. */
export function costOf(route: RouteFacts | undefined, method: string, url: string): Cost | undefined {
  if (route !== undefined && isSearch(route, url)) return SEARCH
  const { cost } = route ?? {}
  if (cost !== undefined) return cost === 'free' ? undefined : cost
  return READING_METHODS.has(method) ? READ : CHANGE
}

/** Tells whether a request searches by words. */
export function isSearch({ searches }: RouteFacts, url: string): boolean {
  if (searches === undefined || !url.includes('?')) return false
  const query = new URLSearchParams(url.slice(url.indexOf('?')))
  return query.getAll(searches).some(text => text.trim() !== '')
}
