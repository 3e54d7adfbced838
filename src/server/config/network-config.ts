import { isIP } from 'node:net'
import { ConfigError, listIn, nameOf, wholeNumber } from './setting-values.js'
import type { Setting } from './settings.js'

/** How users reach the exchange. */
export interface NetworkConfig {
  /** The address under which users reach it, without a trailing slash; undefined if not set. */
  readonly publicUrl: string | undefined
  /** Further host names under which it may be reached, in lower case. */
  readonly allowedHosts: readonly string[]
  /** Origins whose pages may call the API. */
  readonly corsOrigins: readonly string[]
  /** Undefined without TLS of its own. */
  readonly tls: TlsConfig | undefined
}

export interface TlsConfig {
  /** Files in PEM. */
  readonly certFile: string
  readonly keyFile: string
  /** A port that redirects HTTP to HTTPS. */
  readonly redirectPort: number | undefined
}

const HOST_NAME = /^(?!-)[\w-]{1,63}(?:\.[\w-]{1,63})*$/
const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|::1)$/

/** Returns whether only this machine can reach an address to listen on. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host)
}

/** Reads the settings of the network. Throws ConfigError. */
export function readNetwork(text: (setting: Setting) => string): NetworkConfig {
  return {
    publicUrl: publicUrl(text('public-url')),
    allowedHosts: listIn(text('allowed-host')).map(hostName),
    corsOrigins: listIn(text('cors-origin')).map(corsOrigin),
    tls: readTls(text),
  }
}

function publicUrl(text: string): string | undefined {
  if (text === '') return undefined
  const url = /^https?:\/\//i.test(text) && URL.canParse(text) ? new URL(text) : undefined
  if (
    url !== undefined &&
    url.pathname === '/' &&
    url.search === '' &&
    url.hash === '' &&
    url.username === ''
  ) {
    return url.origin
  }
  throw new ConfigError(
    `${nameOf('public-url')} is ${text}: give an address such as https://raay.example.org`,
  )
}

function hostName(text: string): string {
  const name = text.toLowerCase()
  if (HOST_NAME.test(name) || isIP(name) !== 0) return name
  throw new ConfigError(`${nameOf('allowed-host')} names ${text}: give host names without a port`)
}

function corsOrigin(text: string): string {
  if (/^https?:\/\//i.test(text) && URL.canParse(text) && new URL(text).origin === text.toLowerCase()) {
    return text.toLowerCase()
  }
  throw new ConfigError(
    `${nameOf('cors-origin')} names ${text}: give origins such as https://app.example.org`,
  )
}

function readTls(text: (setting: Setting) => string): TlsConfig | undefined {
  const certFile = text('tls-cert')
  const keyFile = text('tls-key')
  const port = text('tls-redirect-port')
  if (certFile === '' && keyFile === '') {
    if (port !== '') throw new ConfigError(`${nameOf('tls-redirect-port')} needs --tls-cert and --tls-key`)
    return undefined
  }
  if (certFile === '') throw new ConfigError(`${nameOf('tls-cert')} is missing: --tls-key needs it`)
  if (keyFile === '') throw new ConfigError(`${nameOf('tls-key')} is missing: --tls-cert needs it`)
  const redirectPort = port === '' ? undefined : wholeNumber('tls-redirect-port', port, 0, 65_535)
  return { certFile, keyFile, redirectPort }
}
