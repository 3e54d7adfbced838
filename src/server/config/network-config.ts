import type { SettingValues } from './setting-values.js'
import { ConfigError } from './setting-values.js'

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

const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|::1)$/

/** Returns whether only this machine can reach an address to listen on. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host)
}

/** Reads the settings of the network. Throws ConfigError. */
export function readNetwork(values: SettingValues): NetworkConfig {
  return {
    publicUrl: values.read('public-url'),
    allowedHosts: values.read('allowed-host') ?? [],
    corsOrigins: values.read('cors-origin') ?? [],
    tls: readTls(values),
  }
}

function readTls(values: SettingValues): TlsConfig | undefined {
  const certFile = values.read('tls-cert')
  const keyFile = values.read('tls-key')
  const redirectPort = values.read('tls-redirect-port')
  if (certFile === undefined && keyFile === undefined) {
    if (redirectPort === undefined) return undefined
    throw new ConfigError(`${values.nameOf('tls-redirect-port')} needs --tls-cert and --tls-key`)
  }
  if (certFile === undefined) {
    throw new ConfigError(`${values.nameOf('tls-cert')} is missing: --tls-key needs it`)
  }
  if (keyFile === undefined) {
    throw new ConfigError(`${values.nameOf('tls-key')} is missing: --tls-cert needs it`)
  }
  return { certFile, keyFile, redirectPort }
}
