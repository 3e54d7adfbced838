import type { Sorting } from '../../../kit/sorting.js'
import { sortingIn, sortingText } from '../../../kit/sorting.js'
import type { Period } from './period.js'
import { PERIODS } from './period.js'

/** How a list is shown; part of its address. */
export interface ListView {
  readonly period: Period
  /** Words of the market’s title. */
  readonly words: string
  /** A choice of the list’s own filter; empty for all. */
  readonly kind: string
  readonly isGrouped: boolean
  /** Absent for the newest first. */
  readonly sorting: Sorting | undefined
}

/** Reads a view from the query of an address; what is missing or odd is as in a new list. */
export function viewIn(search: string): ListView {
  const query = new URLSearchParams(search)
  const period = PERIODS.find(name => name === query.get('period')) ?? 'all'
  const sort = query.get('sort')
  return {
    period,
    words: query.get('q') ?? '',
    kind: query.get('kind') ?? '',
    isGrouped: query.get('group') === 'market',
    sorting: sort === null ? undefined : sortingIn(sort),
  }
}

/** Returns the query of a view, with `list` kept from the present one. */
export function queryOf({ period, words, kind, isGrouped, sorting }: ListView, present: string): string {
  const query = new URLSearchParams()
  const list = new URLSearchParams(present).get('list')
  if (list !== null) query.set('list', list)
  if (period !== 'all') query.set('period', period)
  if (words !== '') query.set('q', words)
  if (kind !== '') query.set('kind', kind)
  if (isGrouped) query.set('group', 'market')
  if (sorting !== undefined) query.set('sort', sortingText(sorting))
  return query.size === 0 ? '' : `?${query}`
}

/** Returns whether a text has all words of a search, in any case. */
export function hasWords(text: string, words: string): boolean {
  const lower = text.toLocaleLowerCase()
  return words
    .toLocaleLowerCase()
    .split(/\s+/)
    .every(word => lower.includes(word))
}
