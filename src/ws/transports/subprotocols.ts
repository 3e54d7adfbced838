const OWN = 'raay'
const BEARER = 'bearer.'

/**
 * Returns the subprotocol for a client that offers some, of which browsers expect one; never the one that
 * carries its token, since answers end up in logs.
 */
export function chosenSubprotocol(offered: ReadonlySet<string>): string | false {
  if (offered.has(OWN)) return OWN
  return [...offered].find(name => !name.startsWith(BEARER)) ?? false
}

/** Returns the token in a header `Sec-WebSocket-Protocol: raay, bearer.<token>`. */
export function bearerIn(header: string | undefined): string | undefined {
  const names = header?.split(',').map(name => name.trim()) ?? []
  return names.find(name => name.startsWith(BEARER))?.slice(BEARER.length)
}
