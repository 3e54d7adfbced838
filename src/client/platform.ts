/** The parts of an answer that the client uses; `fetch` returns more. */
export interface FetchAnswer {
  readonly status: number
  readonly headers: { get(name: string): string | null }
  text(): Promise<string>
}

export interface FetchRequest {
  readonly method: string
  readonly headers: Record<string, string>
  readonly body?: string
  /** A token never follows a redirect to another address. */
  readonly redirect: 'error'
  readonly signal: AbortSignal
}

/** A WebSocket as in browsers, Node 22 and the package `ws`. */
export interface SocketLike {
  onopen: ((event: never) => void) | null
  onmessage: ((event: { readonly data: unknown }) => void) | null
  onclose: ((event: never) => void) | null
  onerror: ((event: never) => void) | null
  send(text: string): void
  close(code?: number): void
  /** Ends the connection without waiting for the other side; missing in browsers. */
  terminate?(): void
}

/** Facilities of the machine that a client uses. A test supplies its own. */
export interface Surroundings {
  fetch(url: string, request: FetchRequest): Promise<FetchAnswer>
  readonly WebSocket: (new (url: string) => SocketLike) | undefined
  /** Returns a number from 0 to below 1. */
  random(): number
  /** Returns a name for an order, unique among its user's orders. */
  newOrderKey(): string
  /** Schedules a call; returns a function that cancels it. */
  setTimer(run: () => void, delayMs: number): () => void
}

/**
 * Returns the machine's own facilities. All chance and timers pass through them, so that tests can control
 * both.
 */
export function systemSurroundings(): Surroundings {
  return {
    fetch: (url, request) => fetch(url, request),
    WebSocket: (globalThis as { WebSocket?: new (url: string) => SocketLike }).WebSocket,
    random: () => Math.random(),
    newOrderKey,
    setTimer: (run, delayMs) => {
      const timer = setTimeout(run, delayMs)
      return () => clearTimeout(timer)
    },
  }
}

const KEY_BYTES = 16

/** Returns 128 random bits in hexadecimal, since pages on plain HTTP lack `randomUUID`. */
export function newOrderKey(): string {
  const bytes = globalThis.crypto.getRandomValues(new Uint8Array(KEY_BYTES))
  return Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('')
}
