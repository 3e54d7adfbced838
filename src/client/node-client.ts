import { createRequire } from 'node:module'
import type { ClientOptions } from './client.js'
import { RaayClient as AnyClient } from './client.js'
import type { SocketLike } from './platform.js'

export type * from './client.js'
export { RaayError } from './client.js'
export type { FetchAnswer, FetchRequest, Surroundings } from './platform.js'

/** `raay/client` in Node: uses the WebSocket of `ws` if Node has none of its own (before 22). */
export class RaayClient extends AnyClient {
  constructor(options: ClientOptions) {
    super({ ...('WebSocket' in globalThis ? {} : { WebSocket: webSocketOfWs() }), ...options })
  }
}

/** Loads `ws`, or the copy of it that a package brings along: its package.json says which. */
export function webSocketOfWs() {
  return createRequire(import.meta.url)('#ws').WebSocket as new (
    url: string,
    options?: object,
  ) => SocketLike
}
