import { setTimeout as pause } from 'node:timers/promises'
import { HttpLine } from '../../bench/http-line.js'
import type { ServerClient } from '../../fixtures/server/server-client.js'
import type { HostileOptions, Tally } from './hostile-connection.js'
import { HostileConnection } from './hostile-connection.js'

/** The signed-in attacker. */
export const MALLORY = 'mallory'

/** One way to hurt an exchange, bounded in count and time. */
export interface Attack {
  readonly name: string
  /** More flags of `raay start`. */
  readonly flags?: readonly string[]
  /** Sets up the attack as an honest client; not measured. */
  prepare?(target: Target): Promise<void>
  run(target: Target): Promise<void>
}

const OPENING_AT_ONCE = 100
/** Long enough to read what the kernel has buffered. */
const LISTENING_SECONDS = 3

/** The exchange under attack, and its responses so far. */
export class Target {
  readonly url: string
  readonly client: ServerClient
  readonly tally: Tally
  /** The token of the attacker, who trades as MALLORY; undefined in `open` mode. */
  readonly #token: string | undefined
  /** Requests and frames sent. */
  requests = 0
  /** Faults that the attacker itself observed. */
  readonly faults: string[] = []

  constructor(client: ServerClient, tally: Tally, token?: string) {
    this.url = client.url
    this.client = client
    this.tally = tally
    this.#token = token
  }

  /** Opens connections, a hundred at a time; leaves out those that are refused. */
  async connect(count: number, options: HostileOptions = {}): Promise<HostileConnection[]> {
    return this.#openMany(count, () => HostileConnection.open(this.url, this.tally, options))
  }

  /** Opens WebSockets, a hundred at a time. */
  async connectSockets(count: number): Promise<HostileConnection[]> {
    return this.#openMany(count, () => HostileConnection.openSocket(this.url, this.tally, this.#token))
  }

  /** Returns the bytes of a request; a POST if there is a body. A signed-in attacker names no other user. */
  request(path: string, body?: object): Buffer {
    const text = body && JSON.stringify(body, (name, value) => (name === 'userid' ? this.user(value) : value))
    const headers = this.#token === undefined ? [] : [`Authorization: Bearer ${this.#token}`]
    const own = path.replace(/userid=(\w+)/, (_, name: string) => `userid=${this.user(name)}`)
    return HttpLine.request(this.url, own, text, headers)
  }

  /** Returns the user that the attacker trades as: of any name, or the signed-in one. */
  user(name: string): string {
    return this.#token === undefined ? name : MALLORY
  }

  send(connection: HostileConnection, bytes: string | Buffer): void {
    this.requests++
    connection.write(bytes)
  }

  /** Waits until all connections have ended, or the time is up; ends the others and returns their number. */
  async holdUntilClosed(connections: readonly HostileConnection[], seconds: number): Promise<number> {
    const clock = new AbortController()
    const timeUp = pause(seconds * 1000, undefined, { signal: clock.signal }).catch(() => {})
    await Promise.race([timeUp, Promise.all(connections.map(({ closed }) => closed))])
    clock.abort()
    const open = connections.filter(({ isOpen }) => isOpen)
    for (const connection of open) connection.end()
    await Promise.all(open.map(({ closed }) => closed))
    return open.length
  }

  /** Reads nothing for this long, then resumes; reports connections still open by then. */
  async stayDeaf(connections: readonly HostileConnection[], seconds: number): Promise<void> {
    await pause(seconds * 1000)
    for (const { socket } of connections) socket.resume()
    const open = await this.holdUntilClosed(connections, LISTENING_SECONDS)
    if (open > 0) this.faults.push(`${open} deaf connections were still open after ${seconds} s`)
  }

  /** Waits until this many requests have a response; reports a timeout. */
  async answered(count: number, seconds: number): Promise<void> {
    for (let left = seconds * 10; left > 0 && this.#answers() < count; left--) await pause(100)
    const missing = count - this.#answers()
    if (missing > 0) this.faults.push(`${missing} requests had no answer after ${seconds} s`)
  }

  #answers(): number {
    const answers = Object.entries(this.tally.counts).filter(([what]) => /^\d{3}$/.test(what))
    return answers.reduce((sum, [, count]) => sum + count, 0)
  }

  async #openMany(
    count: number,
    open: () => Promise<HostileConnection | undefined>,
  ): Promise<HostileConnection[]> {
    const connections: HostileConnection[] = []
    for (let left = count; left > 0; left -= OPENING_AT_ONCE) {
      const opened = await Promise.all(Array.from({ length: Math.min(left, OPENING_AT_ONCE) }, open))
      connections.push(...opened.filter(connection => connection !== undefined))
    }
    return connections
  }
}
