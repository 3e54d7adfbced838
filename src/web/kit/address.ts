import { batch, signal } from '@preact/signals'

/** The current path. */
export const path = signal(location.pathname)

/** The current query with its question mark, empty without one. */
export const search = signal(location.search)

/**
 * Shows another page of the same bundle without loading it. One that replaces the current page starts where
 * that is scrolled to, and Back leads to the page before.
 */
export function goTo(address: string, how: 'push' | 'replace' = 'push'): void {
  if (how === 'push') history.pushState(null, '', address)
  else history.replaceState(null, '', address)
  readAddress()
  if (how === 'push') scrollTo(0, 0)
}

addEventListener('popstate', readAddress)

function readAddress(): void {
  batch(() => {
    path.value = location.pathname
    search.value = location.search
  })
}
