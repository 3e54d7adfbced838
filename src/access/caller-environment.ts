import type { Identity } from './identity.js'
import { OPEN } from './identity.js'

/** Kept beside a request, for HTTP and for upgrades to WebSocket. */
export interface CallerEnvironment {
  caller?: Identity
}

/** Returns who sent a request: everybody in the mode `open`, which identifies operators only. */
export function callerIn(environment: unknown): Identity {
  return (environment as CallerEnvironment | undefined)?.caller ?? OPEN
}
