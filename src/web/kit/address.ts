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

/** Handles clicks on links within this bundle; leaves all others to the browser. */
export function followLinks(isOurs: RegExp): void {
  document.addEventListener('click', event => {
    const link = (event.target as Element | null)?.closest('a')
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
    if (!isPlain || event.defaultPrevented || link === null || link === undefined) return
    if (link.origin !== location.origin || link.target !== '' || link.hash !== '') return
    if (!isOurs.test(link.pathname)) return
    event.preventDefault()
    goTo(link.pathname + link.search)
  })
}

addEventListener('popstate', readAddress)

function readAddress(): void {
  batch(() => {
    path.value = location.pathname
    search.value = location.search
  })
}
