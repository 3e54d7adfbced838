/** The views of the market list, in the order of their tabs. */
export const VIEWS = ['trending', 'closing', 'newest', 'movers', 'volume', 'watchlist', 'ended'] as const

export type View = (typeof VIEWS)[number]

/** The view, the search and the category of the market list, which the address of the page holds. */
export interface ListQuery {
  readonly view: View
  /** Words to search for; empty for none. */
  readonly words: string
  readonly category: string | undefined
}

const WORDS_LENGTH_MAX = 200

/** Reads the query of an address; what it does not know is the default. */
export function listQueryIn(search: string): ListQuery {
  const parameters = new URLSearchParams(search)
  const named = parameters.get('view')
  return {
    view: VIEWS.find(view => view === named) ?? 'trending',
    words: (parameters.get('q') ?? '').slice(0, WORDS_LENGTH_MAX),
    category: parameters.get('category') || undefined,
  }
}

/** Returns the address of the list, with what differs from the default. */
export function listAddress({ view, words, category }: ListQuery): string {
  const parameters = new URLSearchParams()
  if (words.trim() !== '') parameters.set('q', words)
  if (view !== 'trending') parameters.set('view', view)
  if (category !== undefined) parameters.set('category', category)
  const text = parameters.toString()
  return text === '' ? '/' : `/?${text}`
}
