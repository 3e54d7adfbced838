import type { ServerResponse } from 'node:http'
import type { BlockList, Socket } from 'node:net'
import type { Outbox } from '../http/middleware/outbox.js'
import { addressKey } from './address-key.js'
import type { EdgeLimits } from './edge-limits.js'

/** A reader that takes less than this, and less than what waited for it, has stopped. */
const PROGRESS_BYTES = 16 * 1024
/** How full the outbox is left where room has to be made. */
const ROOMY_SHARE = 0.75

/** What is known of one connection. */
interface Peer {
  /** Whom it counts for; undefined where it does not. */
  readonly address: string | undefined
  /** Answers that are under way: the first one on the socket, the others behind it in memory. */
  readonly responses: Set<ServerResponse>
  isRefused: boolean
  /** Since when it has taken nothing of what waits for it; undefined where nothing waits. */
  stalledSince: number | undefined
  /** Once so much has left, it has read again. */
  sentBytesWanted: number
}

interface Waiting {
  readonly socket: Socket
  readonly since: number
  readonly bytes: number
}

/** What Node knows of a socket below its streams; its own timeouts look at the same figures. */
interface Handle {
  readonly bytesWritten?: number
  readonly writeQueueSize?: number
}

/**
 * All TCP connections, whether HTTP or WebSocket is spoken over them: how many there are, in all and from one
 * address, how much waits to be sent, and which of them have stopped to read.
 */
export class Connections implements Outbox {
  readonly #limits: EdgeLimits
  readonly #proxies: BlockList | undefined
  readonly #now: () => number
  readonly #peers = new Map<Socket, Peer>()
  readonly #countByAddress = new Map<string, number>()
  #requestCount = 0
  /** As of the last sweep, and what was taken since. */
  #unsentBytes = 0
  #hasRefused = false

  /** @param now a clock that only goes forward, in ms */
  constructor(limits: EdgeLimits, proxies: BlockList | undefined, now: () => number) {
    this.#limits = limits
    this.#proxies = proxies
    this.#now = now
  }

  get count(): number {
    return this.#peers.size
  }

  /** Takes a new connection in, if there is room for one more, and for one more from its address. */
  admit(socket: Socket): boolean {
    const { connectionsMax, connectionsPerAddressMax } = this.#limits
    const address = addressKey(socket.remoteAddress ?? '', this.#proxies)
    const countOfAddress = address === undefined ? 0 : (this.#countByAddress.get(address) ?? 0)
    if (this.#peers.size >= connectionsMax || countOfAddress >= connectionsPerAddressMax) return false

    // After this point the connection counts until it is closed.
    this.#peers.set(socket, {
      address,
      responses: new Set(),
      isRefused: false,
      stalledSince: undefined,
      sentBytesWanted: 0,
    })
    if (address !== undefined) this.#countByAddress.set(address, countOfAddress + 1)
    socket.once('close', () => this.#leave(socket))
    return true
  }

  /**
   * Notes a request whose answer is under way from now on. Answers `later` for one that came behind others of
   * its connection, `refuse` for the first one that is too many, and `ignore` for those behind it: the
   * connection ends with that refusal.
   */
  begin(socket: Socket, response: ServerResponse): 'answer' | 'later' | 'refuse' | 'ignore' {
    const peer = this.#peers.get(socket)
    if (peer === undefined) return 'ignore'
    const { pipelinedMax, requestsMax } = this.#limits
    const isTooMuch = peer.responses.size >= pipelinedMax || this.#requestCount >= requestsMax
    peer.responses.add(response)
    this.#requestCount++
    if (peer.isRefused) {
      if (peer.responses.size > 2 * pipelinedMax) socket.destroy()
      return 'ignore'
    }
    response.once('close', () => {
      if (peer.responses.delete(response)) this.#requestCount--
    })
    peer.isRefused = isTooMuch
    if (isTooMuch) return 'refuse'
    return peer.responses.size > 1 ? 'later' : 'answer'
  }

  takes(bytes: number): boolean {
    // Once refused, the others need not try before the next sweep.
    if (this.#hasRefused || this.#unsentBytes + bytes > this.#limits.unsentBytesMax) {
      this.#hasRefused = true
      return false
    }
    this.#unsentBytes += bytes
    return true
  }

  /** To be called a few times a second: counts what is unsent, and closes whoever has stopped to read. */
  sweep(): void {
    const { stalledMs, stalledUnderPressureMs, unsentBytesMax } = this.#limits
    const now = this.#now()
    const waiting = this.#waiting(now).filter(({ socket, since }) => {
      const isStalled = now - since >= stalledMs
      if (isStalled) socket.destroy()
      return !isStalled
    })
    let unsent = waiting.reduce((sum, { bytes }) => sum + bytes, 0)
    const isOver = unsent > unsentBytesMax
    if (isOver || this.#hasRefused) {
      waiting.sort((a, b) => a.since - b.since)
      for (const { socket, since, bytes } of waiting) {
        if (unsent <= ROOMY_SHARE * unsentBytesMax) break
        if (!isOver && now - since < stalledUnderPressureMs) break
        socket.destroy()
        unsent -= bytes
      }
    }
    this.#hasRefused = false
    this.#unsentBytes = unsent
  }

  #waiting(now: number): Waiting[] {
    const waiting: Waiting[] = []
    for (const [socket, peer] of this.#peers) {
      const bytes = unsentBytes(socket, peer)
      if (bytes === 0) {
        peer.stalledSince = undefined
        continue
      }
      const { sent, queued } = progressOf(socket)
      if (peer.stalledSince === undefined || sent >= peer.sentBytesWanted) {
        peer.stalledSince = now
        peer.sentBytesWanted = sent + Math.min(queued, PROGRESS_BYTES)
      }
      waiting.push({ socket, bytes, since: peer.stalledSince })
    }
    return waiting
  }

  #leave(socket: Socket): void {
    const peer = this.#peers.get(socket)
    if (peer === undefined) return
    this.#peers.delete(socket)
    this.#requestCount -= peer.responses.size
    peer.responses.clear()
    if (peer.address === undefined) return
    const count = (this.#countByAddress.get(peer.address) ?? 0) - 1
    if (count > 0) this.#countByAddress.set(peer.address, count)
    else this.#countByAddress.delete(peer.address)
  }
}

/** What waits in the socket, and in answers that wait for the one before them. */
function unsentBytes(socket: Socket, { responses }: Peer): number {
  let bytes = socket.writableLength
  // An answer that has the socket counts the bytes of the socket, too.
  for (const response of responses) if (response.socket === null) bytes += response.writableLength
  return bytes
}

/** How many bytes the system has taken over, and how many it was given and has not. */
function progressOf(socket: Socket): { readonly sent: number; readonly queued: number } {
  const { bytesWritten = 0, writeQueueSize = 0 } = (socket as { _handle?: Handle | null })._handle ?? {}
  return { sent: bytesWritten - writeQueueSize, queued: writeQueueSize }
}
