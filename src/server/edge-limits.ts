import type { Config } from './config.js'
import { openFilesMax } from './open-files.js'

/** What the edge lets a client have, and for how long. */
export interface EdgeLimits {
  /** Within this time the headers of a request arrive whole, or it is answered 408. */
  readonly headersMs: number
  /** Within this time, from its first byte, all of a request does. */
  readonly requestMs: number
  /** How often these two are looked at. */
  readonly checkMs: number
  /** How long a connection may stay open between two requests. */
  readonly keepAliveMs: number
  /** A connection that takes nothing of what it is sent for this long is closed. */
  readonly stalledMs: number
  /** The same while others are refused for want of room. */
  readonly stalledUnderPressureMs: number
  /** How often unsent bytes are counted. */
  readonly sweepMs: number
  readonly connectionsMax: number
  readonly connectionsPerAddressMax: number
  /** Connections that may be open at once only to read that there are too many. */
  readonly refusedMax: number
  /** Requests under way on one connection, the one that is answered and those pipelined behind it. */
  readonly pipelinedMax: number
  /** Requests under way on all connections. */
  readonly requestsMax: number
  /** Bytes that wait to be sent, on all connections together. */
  readonly unsentBytesMax: number
}

/** What the exchange itself keeps open: the data file, once for each thread, and what Node needs. */
const OWN_FILES = 256
const REFUSED_MAX = 256

/** The limits of an exchange: no more connections than the system lets it have open files. */
export function edgeLimits({ connectionsMax, connectionsPerAddressMax }: Config): EdgeLimits {
  const filesMax = openFilesMax() ?? Number.POSITIVE_INFINITY
  // Where few files may be open, connections get half of them.
  const filesForConnections = Math.max(filesMax - OWN_FILES - REFUSED_MAX, Math.floor(filesMax / 2))
  return {
    headersMs: 10_000,
    requestMs: 20_000,
    checkMs: 1000,
    keepAliveMs: 5000,
    stalledMs: 20_000,
    stalledUnderPressureMs: 1000,
    sweepMs: 250,
    connectionsMax: Math.min(connectionsMax, filesForConnections),
    connectionsPerAddressMax,
    refusedMax: REFUSED_MAX,
    pipelinedMax: 100,
    requestsMax: 20_000,
    unsentBytesMax: 128 * 1024 * 1024,
  }
}
