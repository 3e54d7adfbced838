import type { Cost, RouteFacts } from '../../api/route.js'

/** The price of a request, and whether it is a search. */
export interface Price {
  readonly cost: Cost
  readonly isSearch: boolean
}

const READING_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])
const READ: Cost = { kind: 'reads', points: 1 }
const CHANGE: Cost = { kind: 'reads', points: 10 }
/** A list by words waits for the reader of histories. */
const SEARCH: Cost = { kind: 'reads', points: 5, history: true }

const SEARCHING: Price = { cost: SEARCH, isSearch: true }

/** The price of each cost, so that none is made for a request. */
const prices = new WeakMap<Cost, Price>()

/** Returns the price of a request; undefined if it is free. Without a route the method decides. */
export function priceOf(route: RouteFacts | undefined, method: string, url: string): Price | undefined {
  if (route !== undefined && isSearch(route, url)) return SEARCHING
  const cost = route?.cost ?? (READING_METHODS.has(method) ? READ : CHANGE)
  if (cost === 'free') return undefined
  const known = prices.get(cost) ?? { cost, isSearch: false }
  prices.set(cost, known)
  return known
}

/** Returns whether a request searches by words. */
function isSearch({ searches }: RouteFacts, url: string): boolean {
  if (searches === undefined || !url.includes('?')) return false
  const query = new URLSearchParams(url.slice(url.indexOf('?')))
  return query.getAll(searches).some(text => text.trim() !== '')
}
