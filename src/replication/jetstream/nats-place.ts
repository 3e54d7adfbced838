import { readFileSync } from 'node:fs'

/** A replicated log on NATS: its servers, and the name of its stream if the URL gives one. */
export interface NatsPlace {
  readonly servers: readonly string[]
  readonly stream: string | undefined
  /** True for `tls://`: a server that offers no TLS is refused. */
  readonly tls: boolean
}

/** A client's proof of who it is: the contents of a file, never of a setting. */
export type NatsLogin =
  | { readonly kind: 'creds'; readonly creds: string }
  | { readonly kind: 'nkey'; readonly seed: string }
  | { readonly kind: 'user'; readonly user: string; readonly password: string }

/** Paths of PEM files. */
export interface NatsTlsFiles {
  readonly ca?: string
  readonly cert?: string
  readonly key?: string
}

/** A setting for the replicated log that cannot be used; the message says why and what to write. */
export class NatsPlaceError extends Error {
  override readonly name = 'NatsPlaceError'
}

const SERVERS_MAX = 9
const STREAM_NAME = /^[A-Za-z0-9_-]{1,64}$/

/** Returns true for the URL of a log on NATS. */
export function isNatsUrl(url: string): boolean {
  return /^(nats|tls):\/\//.test(url)
}

/** Reads `nats://a:4222,b,c/name`. Throws for what is no such URL; user and password belong in a file. */
export function natsPlace(url: string): NatsPlace {
  // Before anything that shows the URL: a password may have any signs, a slash among them.
  if (url.includes('@')) {
    throw new NatsPlaceError('the URL has a user or password: put them in a file, see --replicate-login')
  }
  const [, scheme, hosts = '', path = ''] = /^(nats|tls):\/\/([^/]*)(?:\/(.*))?$/.exec(url) ?? []
  if (scheme === undefined) throw new NatsPlaceError(`${url} is not like nats://host1,host2,host3`)
  const servers = hosts.split(',')
  if (servers.length > SERVERS_MAX) throw new NatsPlaceError(`${url} names more than ${SERVERS_MAX} servers`)
  for (const server of servers) {
    if (!isServer(server)) throw new NatsPlaceError(`"${server}" in ${url} is not like host or host:4222`)
  }
  if (path !== '' && !STREAM_NAME.test(path)) {
    throw new NatsPlaceError(
      `the stream "${path}" in ${url} may have letters, digits, - and _ only, at most 64`,
    )
  }
  return { servers, stream: path === '' ? undefined : path, tls: scheme === 'tls' }
}

function isServer(text: string): boolean {
  if (!/^(\[[0-9a-f:.]+\]|[A-Za-z0-9.-]+)(:\d{1,5})?$/i.test(text)) return false
  const port = /:(\d+)$/.exec(text.replace(/^\[.*\]/, ''))?.[1]
  return port === undefined || (Number(port) > 0 && Number(port) < 65_536)
}

/**
 * Reads a login from a file: user credentials (`.creds`), the seed of a user's NKey (`SU…`), or one line
 * `user:password`.
 */
export function readLogin(path: string): NatsLogin {
  let text: string
  try {
    text = readFileSync(path, 'utf8').trim()
  } catch (error) {
    throw new NatsPlaceError(`the login ${path} cannot be read: ${(error as Error).message}`)
  }
  if (text.includes('-----BEGIN NATS USER JWT-----')) return { kind: 'creds', creds: text }
  if (/^SU[A-Z2-7]{56}$/.test(text)) return { kind: 'nkey', seed: text }
  const [, user, password] = /^([^\s:]+):(\S+)$/.exec(text) ?? []
  if (user !== undefined && password !== undefined) return { kind: 'user', user, password }
  throw new NatsPlaceError(
    `the login ${path} is neither a .creds file, nor an NKey's seed (SU…), nor one line user:password`,
  )
}
