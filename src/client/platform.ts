/** An answer, as far as the client looks at it: what `fetch` gives has more. */
export interface FetchAnswer {
  readonly status: number
  readonly headers: { get(name: string): string | null }
  text(): Promise<string>
}

export interface FetchRequest {
  readonly method: string
  readonly headers: Record<string, string>
  readonly body?: string
  readonly signal: AbortSignal
}

/** A WebSocket as browsers, Node 22 and the package `ws` have it. */
export interface SocketLike {
  onopen: ((event: never) => void) | null
  onmessage: ((event: { readonly data: unknown }) => void) | null
  onclose: ((event: never) => void) | null
  onerror: ((event: never) => void) | null
  send(text: string): void
  close(code?: number): void
  /** Ends the connection without waiting for the other side; browsers have no such thing. */
  terminate?(): void
}

/** What a client needs of the machine it runs on. A test brings its own. */
export interface Surroundings {
  fetch(url: string, request: FetchRequest): Promise<FetchAnswer>
  readonly WebSocket: (new (url: string) => SocketLike) | undefined
  /** From 0 to below 1. */
  random(): number
  /** A name for an order that no other order of its user has. */
  newOrderKey(): string
  /** Runs something later, and answers how to call that off. */
  setTimer(run: () => void, delayMs: number): () => void
}

/** The machine's own. The client's only door to chance and timers, so that a test can hold them still. */
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

/** 128 random bits in hexadecimal. `randomUUID` would be shorter to write; pages on plain HTTP lack it. */
function newOrderKey(): string {
  const bytes = globalThis.crypto.getRandomValues(new Uint8Array(KEY_BYTES))
  return Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('')
}
