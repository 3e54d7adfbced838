import { ClientAddresses } from '../access/limits/client-address.js'
import { Limiter } from '../access/limits/limiter.js'
import type { RequestLimits } from '../http/limits/limit-requests.js'
import type { Config } from './config/config.js'
import { isLoopback } from './config/network-config.js'

/**
 * Returns how requests are limited: by default everywhere but in the mode open on this machine, which the
 * specification leaves without limits (8). Undefined where there is nothing to do for any request.
 */
export function requestLimitsOf(config: Config, watch: () => number): RequestLimits | undefined {
  const { rateLimits, access, host, trustedProxies } = config
  const isPrivate = access.mode === 'open' && isLoopback(host)
  const isOn = rateLimits === 'on' || (rateLimits === 'auto' && !isPrivate)
  if (!isOn && trustedProxies === undefined) return undefined
  return { addresses: new ClientAddresses(trustedProxies), limiter: isOn ? new Limiter(watch) : undefined }
}
