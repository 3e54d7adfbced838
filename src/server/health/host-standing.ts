import type { Standing } from '../../api/operator/health-reading.js'
import type { Exchange } from '../../exchange/exchange.js'
import type { LiveConfig } from '../live-config.js'

/** How far an exchange is behind the one that leads, if it follows another one. */
export interface HostStanding {
  readonly read: () => Standing
  /** Returns true for a standby that is too far behind to be read, or has not heard how far it is. */
  readonly isBehind: () => boolean
}

/** @param read tells it of an exchange that may follow another one; by default it leads */
export function standingOf(
  exchange: Pick<Exchange, 'applied'>,
  live: Pick<LiveConfig, 'current'>,
  read: () => Standing = () => leading(exchange.applied.last),
): HostStanding {
  const isBehind = () => {
    const { leads, logEnd, lagMs } = read()
    return !leads && (logEnd === undefined || lagMs > live.current.standbyLagMaxMs)
  }
  return { read, isBehind }
}

function leading(sequence: number): Standing {
  return { leads: true, sequence, logEnd: undefined, lagMs: 0, failure: undefined }
}
