/** Labels that a URL does not take as they stand: numbers, which make an address, and encoded names. */
const SPECIAL_LABEL = /(?:^|\.)(?:\d|xn--)/i

/** The last host that a URL was made of: almost all requests name the same. */
let lastParsed = ''

/**
 * Whether a URL can be made of a Host header, as far as the adapter does not check it itself: it lets pass
 * hosts such as `a.1` and `xn--a`, and fails with an error of its own when a URL is made of them later.
 */
export function isUsableHost(host: string): boolean {
  if (host === lastParsed || !SPECIAL_LABEL.test(host)) return true
  const isUsable = URL.canParse(`http://${host}/`)
  if (isUsable) lastParsed = host
  return isUsable
}
