const SESSION = /(?:^|; *)(?:__Host-)?raay_session=([\w-]{1,128})(?:;|$)/

/** Returns the token in the session cookie of a `Cookie` header, `raay_session` or `__Host-raay_session`. */
export function sessionTokenIn(cookie: string): string | undefined {
  return SESSION.exec(cookie)?.[1]
}
