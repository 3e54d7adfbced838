const SECURE = /(?:^|; *)__Host-raay_session=([\w-]{1,128})(?:;|$)/
const PLAIN = /(?:^|; *)raay_session=([\w-]{1,128})(?:;|$)/
const LOCAL_HOST = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::\d+)?$/i

/** The token of a session, and whether its cookie was the one without `__Host-`. */
export interface SessionCookie {
  readonly session: string
  readonly isPlain: boolean
}

/**
 * Returns the token in the session cookie of a `Cookie` header. Only on this machine, without TLS, does the
 * cookie without `__Host-` count: elsewhere other sites of the same domain, or anyone on the network, could
 * set it and so make a visitor act for another account.
 */
export function sessionCookieIn(
  cookie: string,
  host: string,
  isEncrypted: boolean,
): SessionCookie | undefined {
  const secure = SECURE.exec(cookie)?.[1]
  if (secure !== undefined) return { session: secure, isPlain: false }
  const plain = isEncrypted || !LOCAL_HOST.test(host) ? undefined : PLAIN.exec(cookie)?.[1]
  return plain === undefined ? undefined : { session: plain, isPlain: true }
}
