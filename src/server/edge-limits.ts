import { BEAT_SLOT_MS } from '../ws/gateway.js'
import type { LiveConfig } from './live-config.js'
import { openFilesMax } from './open-files.js'

/** The limits and timeouts of client connections. */
export interface EdgeLimits {
  /** The time for a request's headers to arrive; then 408. */
  readonly headersMs: number
  /** The time for a whole request to arrive, from its first byte. */
  readonly requestMs: number
  /** How often these two are checked. */
  readonly checkMs: number
  /** The time for a TLS handshake; then the connection is closed. */
  readonly handshakeMs: number
  /** How long a connection may idle between requests. */
  readonly keepAliveMs: number
  /** A connection that reads nothing for this long is closed. */
  readonly stalledMs: number
  /** That time while others are refused for lack of room. */
  readonly stalledUnderPressureMs: number
  /** How often the gateway beats, so that it pings each connection every 20 seconds. */
  readonly beatMs: number
  /** How often a Socket.IO session is pinged, and the time it has to answer. */
  readonly socketIoPingMs: number
  /** How often unsent bytes are measured. */
  readonly sweepMs: number
  readonly connectionsMax: number
  readonly connectionsPerAddressMax: number
  /** The most refused connections open at once to read their refusal. */
  readonly refusedMax: number
  /** Requests in progress on one connection, including those pipelined. */
  readonly pipelinedMax: number
  /** Requests in progress on all connections. */
  readonly requestsMax: number
  /** An order that would wait longer for its commit is refused at once. */
  readonly orderWaitMsMax: number
  /** Unsent bytes on all connections. */
  readonly unsentBytesMax: number
}

/** Files that the exchange itself keeps open: the data file, once per thread, and Node's own. */
const OWN_FILES = 256
const REFUSED_MAX = 256

/**
 * Returns the limits of an exchange: no more connections than its limit of open files allows.
 *
 * @param given replaces some of them
 */
export function edgeLimits(live: LiveConfig, given: Partial<EdgeLimits> = {}): EdgeLimits {
  const filesMax = openFilesMax() ?? Number.POSITIVE_INFINITY
  // If few files may be open, connections get half of them.
  const filesForConnections = Math.max(filesMax - OWN_FILES - REFUSED_MAX, Math.floor(filesMax / 2))
  return {
    headersMs: 10_000,
    requestMs: 20_000,
    checkMs: 1000,
    handshakeMs: 10_000,
    keepAliveMs: 5000,
    stalledMs: 20_000,
    stalledUnderPressureMs: 1000,
    beatMs: BEAT_SLOT_MS,
    socketIoPingMs: 20_000,
    sweepMs: 250,
    refusedMax: REFUSED_MAX,
    pipelinedMax: 100,
    requestsMax: 20_000,
    orderWaitMsMax: 500,
    unsentBytesMax: 128 * 1024 * 1024,
    ...given,
    get connectionsMax() {
      return given.connectionsMax ?? Math.min(live.current.connectionsMax, filesForConnections)
    },
    get connectionsPerAddressMax() {
      return given.connectionsPerAddressMax ?? live.current.connectionsPerAddressMax
    },
  }
}
