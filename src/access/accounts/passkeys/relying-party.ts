import { isIP } from 'node:net'

/** The site that a passkey belongs to: a host name without its port, and the origin that browsers report. */
export interface RelyingParty {
  readonly id: string
  readonly origin: string
}

/**
 * Returns the site of an origin such as `https://raay.example`, or why passkeys do not work there: browsers
 * offer them on host names only, and only in secure contexts.
 */
export function relyingParty(origin: string): RelyingParty | { readonly refused: string } {
  const { protocol, hostname, port } = new URL(origin)
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost')
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) {
    const local = `http://localhost${port === '' ? '' : `:${port}`}`
    return {
      refused: `Passkeys do not work on an IP address: open ${local} on this machine, or use a host name`,
    }
  }
  if (protocol !== 'https:' && !isLocal) {
    return {
      refused: 'Passkeys need HTTPS: start the exchange with --tls-cert, or put a proxy with TLS before it',
    }
  }
  return { id: hostname, origin: new URL(origin).origin }
}
