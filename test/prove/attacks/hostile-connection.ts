import { once } from 'node:events'
import type { Socket } from 'node:net'
import { connect } from 'node:net'
import { handshake } from '../../fixtures/sockets/ws-raw.js'

const TAIL_BYTES = 130
const STATUS_LINE = Buffer.from('HTTP/1.1 ')
const CLOSE_FRAME = 0x88

export interface HostileOptions {
  /** The local address; 127.0.0.2 is a different client from 127.0.0.1. */
  readonly from?: string
  /** True if responses stay unread. */
  readonly isDeaf?: boolean
}

/** Counts of the exchange's responses: HTTP statuses, and how connections ended. */
export class Tally {
  readonly counts: Record<string, number> = {}
  bytes = 0

  add(what: string, count = 1): void {
    this.counts[what] = (this.counts[what] ?? 0) + count
  }
}

/** A TCP connection that counts responses and discards them. */
export class HostileConnection {
  readonly socket: Socket
  /** Resolves when it has ended, for whatever reason. */
  readonly closed: Promise<void>
  readonly #tally: Tally
  #tail: Buffer = Buffer.alloc(0)
  #isMine = false

  private constructor(socket: Socket, tally: Tally) {
    this.socket = socket
    this.#tally = tally
    socket.on('error', () => {})
    socket.on('data', chunk => this.#take(chunk))
    this.closed = new Promise(resolve => socket.once('close', () => resolve(this.#end())))
  }

  /** Opens a connection; undefined if it is refused. */
  static async open(
    url: string,
    tally: Tally,
    { from = '127.0.0.1', isDeaf = false }: HostileOptions = {},
  ): Promise<HostileConnection | undefined> {
    const { hostname, port } = new URL(url)
    const socket = connect({ host: hostname, port: Number(port), localAddress: from, noDelay: true })
    const connection = new HostileConnection(socket, tally)
    if (isDeaf) socket.pause()
    try {
      await once(socket, 'connect')
      return connection
    } catch {
      tally.add('refused')
      return undefined
    }
  }

  /** Opens a connection and requests a WebSocket, without waiting for the response. */
  static async openSocket(url: string, tally: Tally, token?: string): Promise<HostileConnection | undefined> {
    const connection = await HostileConnection.open(url, tally)
    connection?.write(handshake(token))
    return connection
  }

  get isOpen(): boolean {
    return !this.socket.destroyed
  }

  write(bytes: string | Buffer): void {
    if (this.socket.writable) this.socket.write(bytes)
  }

  /** Ends it from this side. */
  end(): void {
    this.#isMine = true
    this.socket.destroy()
  }

  #take(chunk: Buffer): void {
    this.#tally.bytes += chunk.length
    for (let at = chunk.indexOf(STATUS_LINE); at >= 0; at = chunk.indexOf(STATUS_LINE, at + 1)) {
      this.#tally.add(chunk.toString('latin1', at + 9, at + 12))
    }
    const tail = chunk.length >= TAIL_BYTES ? chunk : Buffer.concat([this.#tail, chunk])
    this.#tail = Buffer.from(tail.subarray(-TAIL_BYTES))
  }

  #end(): void {
    if (this.#isMine) return
    const code = closeCode(this.#tail)
    this.#tally.add(code === undefined ? 'closed' : `closed ${code}`)
  }
}

/** Returns the code in the close frame at the end of the bytes. */
function closeCode(tail: Buffer): number | undefined {
  for (let at = tail.indexOf(CLOSE_FRAME); at >= 0; at = tail.indexOf(CLOSE_FRAME, at + 1)) {
    const length = tail[at + 1] ?? 0
    if (length >= 2 && at + 2 + length === tail.length) return tail.readUInt16BE(at + 2)
  }
  return undefined
}
