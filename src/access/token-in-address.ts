const NAMED = /[?&](?:access_token|api_?key|auth|authorization|bearer|jwt|key|token)=/i

/** Returns whether the query of an address names a token; addresses end up in logs. */
export function namesToken(url: string): boolean {
  return NAMED.test(url)
}
