import type { ClientAddresses } from '../access/limits/client-address.js'
import { Limiter } from '../access/limits/limiter.js'
import type { RequestLimits } from '../http/limits/request-charge.js'
import type { Config } from './config/config.js'
import { isLoopback } from './config/network-config.js'
import type { LiveConfig } from './live-config.js'

/**
 * Returns how requests are limited: by default everywhere but in open mode on this machine, which the
 * specification leaves without limits (8).
 */
export function requestLimitsOf(
  live: LiveConfig,
  addresses: ClientAddresses,
  watch: () => number,
): RequestLimits {
  const limiter = new Limiter(watch)
  return {
    addresses,
    get limiter() {
      return isLimited(live.current) ? limiter : undefined
    },
  }
}

function isLimited({ rateLimits, access, host }: Config): boolean {
  if (rateLimits !== 'auto') return rateLimits === 'on'
  return access.mode !== 'open' || !isLoopback(host)
}
