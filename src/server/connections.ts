import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Outbox } from '../http/middleware/outbox.js'
import type { EdgeLimits } from './edge-limits.js'
import { BlockList, isIP } from 'node:net'
import { networkKey, plainAddress } from '../access/limits/network-key.js'

/** A reader that takes less than this, and less than what is queued for it, has stalled. */
const PROGRESS_BYTES = 16 * 1024
/** The fill level to which the unsent bytes are cut when room has to be made. */
const ROOMY_SHARE = 0.75

/** The state of one connection. */
interface Peer {
  /** The client key it counts under; undefined if it is not counted. */
  readonly address: string | undefined
  /** Answers in progress: the first on the socket, the others behind it in memory. */
  readonly responses: Set<ServerResponse>
  isRefused: boolean
  /** Since when it has read nothing of what is queued for it; undefined if nothing is. */
  stalledSince: number | undefined
  /** The number of bytes sent at which it counts as reading again. */
  sentBytesWanted: number
}

interface Waiting {
  readonly socket: Socket
  readonly since: number
  readonly bytes: number
}

/** Node's counters of a socket below its streams; Node's own timeouts use the same. */
interface Handle {
  readonly bytesWritten?: number
  readonly writeQueueSize?: number
}

/**
 * All TCP connections, HTTP or WebSocket: counts them in total and per address, measures unsent bytes, and
 * closes those that have stopped reading.
 */
export class Connections implements Outbox {
  readonly #limits: EdgeLimits
  readonly #proxies: () => BlockList | undefined
  readonly #now: () => number
  readonly #peers = new Map<Socket, Peer>()
  readonly #countByAddress = new Map<string, number>()
  /** One listener for all responses. */
  readonly #ended: (this: ServerResponse) => void
  #requestCount = 0
  #unsentBytes = 0
  #hasRefused = false

  /**
   * @param proxies the trusted ones at the moment
   * @param now a monotonic clock in milliseconds
   */
  constructor(limits: EdgeLimits, proxies: () => BlockList | undefined, now: () => number) {
    this.#limits = limits
    this.#proxies = proxies
    this.#now = now
    const end = (response: ServerResponse) => this.#end(response)
    this.#ended = function () {
      end(this)
    }
  }

  get count(): number {
    return this.#peers.size
  }

  /** The unsent bytes at the last sweep, plus those accepted since. */
  get unsentBytes(): number {
    return this.#unsentBytes
  }

  /** Admits a new connection if there is room, in total and for its address. */
  admit(socket: Socket): boolean {
    const { connectionsMax, connectionsPerAddressMax } = this.#limits
    const address = addressKey(socket.remoteAddress ?? '', this.#proxies())
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

  /** Goes on with the encrypted socket of a connection: requests, and what is unsent, belong to that one. */
  secure(socket: Socket, encrypted: Socket): void {
    const peer = this.#peers.get(socket)
    if (peer === undefined) return
    this.#peers.delete(socket)
    this.#peers.set(encrypted, peer)
    encrypted.once('close', () => this.#leave(encrypted))
  }

  /**
   * Counts a request whose answer is now in progress. Returns `later` for a request pipelined behind others,
   * `refuse` for the first one above the limit, and `ignore` for those behind it: the connection ends with
   * that refusal.
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
    response.on('close', this.#ended)
    peer.isRefused = isTooMuch
    if (isTooMuch) return 'refuse'
    return peer.responses.size > 1 ? 'later' : 'answer'
  }

  takes(bytes: number): boolean {
    // After one refusal, no other can succeed before the next sweep.
    if (this.#hasRefused || this.#unsentBytes + bytes > this.#limits.unsentBytesMax) {
      this.#hasRefused = true
      return false
    }
    this.#unsentBytes += bytes
    return true
  }

  /** Measures unsent bytes and closes stalled readers; to be called a few times per second. */
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

  #end(response: ServerResponse): void {
    if (this.#peers.get(response.req.socket)?.responses.delete(response)) this.#requestCount--
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

/** Returns the bytes waiting in the socket, and in answers queued behind the first. */
function unsentBytes(socket: Socket, { responses }: Peer): number {
  let bytes = socket.writableLength
  // The answer on the socket includes the socket's own bytes in its count.
  for (const response of responses) if (response.socket === null) bytes += response.writableLength
  return bytes
}

/** Returns the bytes that the system has accepted, and those it has not yet. */
function progressOf(socket: Socket): { readonly sent: number; readonly queued: number } {
  const { bytesWritten = 0, writeQueueSize = 0 } = (socket as { _handle?: Handle | null })._handle ?? {}
  return { sent: bytesWritten - writeQueueSize, queued: writeQueueSize }
}

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

/**
 * Returns the key under which a client's connections are counted. Returns undefined for uncounted addresses:
 * trusted proxies, or this machine if there are none.
 */
export function addressKey(remoteAddress: string, proxies: BlockList | undefined): string | undefined {
  const address = plainAddress(remoteAddress)
  const family = isIP(address)
  const exempt = proxies ?? loopback
  if (family !== 0 && exempt.check(address, family === 4 ? 'ipv4' : 'ipv6')) return undefined
  return networkKey(address)
}
