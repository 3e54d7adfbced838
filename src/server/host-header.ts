/** Labels that URLs treat specially: numbers, which form an address, and encoded names. */
const SPECIAL_LABEL = /(?:^|\.)(?:\d|xn--)/i

/** The last host that a URL was made of: almost all requests name the same. */
let lastParsed = ''

/**
 * Returns true if a Host header is valid in a URL, where the adapter does not check it: the adapter accepts
 * hosts such as `a.1` and `xn--a`, and throws later when it builds a URL from them.
 */
export function isUsableHost(host: string): boolean {
  if (host === lastParsed || !SPECIAL_LABEL.test(host)) return true
  const isUsable = URL.canParse(`http://${host}/`)
  if (isUsable) lastParsed = host
  return isUsable
}
