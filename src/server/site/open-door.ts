import type { Logger } from 'pino'
import { ClientAddresses } from '../../access/limits/client-address.js'
import { RequestLog } from '../answers/request-log.js'
import type { LiveConfig } from '../live-config.js'
import { CertificateWatch } from '../tls/certificate-watch.js'
import { SiteDoor } from './site-door.js'

/** How requests are received. */
export interface OpenedDoor {
  /** Finds clients behind proxies. */
  readonly addresses: ClientAddresses
  readonly door: SiteDoor
  readonly requests: RequestLog
  readonly fault: (error: Error, request?: string) => void
  /** Undefined without TLS of its own. */
  readonly certificate: CertificateWatch | undefined
  /** Returns whether everybody may read about markets, or only members. */
  readonly isPublic: () => boolean
}

/**
 * Opens the door of a server. Throws with a message for the operator about its certificate.
 *
 * @param watch a monotonic clock in milliseconds
 */
export function openDoor(live: LiveConfig, log: Logger, watch: () => number): OpenedDoor {
  const { network } = live.current
  const addresses = new ClientAddresses(() => live.current.trustedProxies)
  const door = new SiteDoor(network)
  live.onChange(({ network }) => door.change(network))
  return {
    addresses,
    door,
    requests: new RequestLog({
      log,
      watch,
      addresses,
      get logsAll() {
        return live.current.accessLog
      },
    }),
    isPublic: () => live.current.access.publicReads,
    fault: (err, request) => log.error({ err, request }, 'a request failed'),
    certificate: network.tls === undefined ? undefined : new CertificateWatch(network.tls, log),
  }
}
