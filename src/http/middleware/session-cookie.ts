const SECURE = /(?:^|; *)__Host-raay_session=([\w-]{1,128})(?:;|$)/
const PLAIN = /(?:^|; *)raay_session=([\w-]{1,128})(?:;|$)/
const LOCAL_HOST = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::\d+)?$/i

/**
 * Returns the token in the session cookie of a `Cookie` header. Only on this machine, without TLS, does the
 * cookie without `__Host-` count: elsewhere other sites of the same domain, or anybody on the network, could
 * set it and so make a visitor act for another account.
 */
export function sessionTokenIn(cookie: string, host: string, isEncrypted: boolean): string | undefined {
  const secure = SECURE.exec(cookie)
  if (secure !== null) return secure[1]
  return isEncrypted || !LOCAL_HOST.test(host) ? undefined : PLAIN.exec(cookie)?.[1]
}
