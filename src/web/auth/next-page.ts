/** Returns the address of the sign-in page that leads back to a page of this exchange. */
export function signInAddress(back: string): string {
  return `/sign-in#next=${encodeURIComponent(back)}`
}

/** Returns the page to go on to, from the fragment of the address: only one of this exchange. */
export function nextPage(): string {
  return localPage(new URLSearchParams(location.hash.slice(1)).get('next') ?? '/')
}

/** Returns a page of this exchange; the first one for any other address. */
export function localPage(back: string): string {
  if (!URL.canParse(back, location.origin)) return '/'
  const { origin, pathname, search } = new URL(back, location.origin)
  return origin === location.origin && !pathname.startsWith('//') ? pathname + search : '/'
}
