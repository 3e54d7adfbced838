const EVENTS = /^(?:[a-z]+:\/\/[^/]*)?(?:\/api\/v1)?\/events\?/i

/** Returns whether an address, with or without its origin, searches the titles of events. */
export function isSearch(url: string): boolean {
  if (!EVENTS.test(url)) return false
  const query = new URLSearchParams(url.slice(url.indexOf('?')))
  return query.getAll('q').some(text => text.trim() !== '')
}
