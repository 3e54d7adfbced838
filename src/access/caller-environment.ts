import type { Identity } from './identity.js'
import { ANONYMOUS } from './identity.js'

/** Kept beside a request, for HTTP and for upgrades to WebSocket. */
export interface CallerEnvironment {
  caller?: Identity
}

/** Returns who sent a request; anonymous if it was not identified. */
export function callerIn(environment: unknown): Identity {
  return (environment as CallerEnvironment | undefined)?.caller ?? ANONYMOUS
}
