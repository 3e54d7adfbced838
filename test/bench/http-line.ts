import { once } from 'node:events'
import type { Socket } from 'node:net'
import { connect } from 'node:net'

const END_OF_HEAD = Buffer.from('\r\n\r\n')

/**
 * One connection that is kept, with one request under way at a time. It speaks just enough HTTP for that, on
 * bytes made beforehand: a full client takes as much of two cores as the server that is measured.
 */
export class HttpLine {
  readonly #socket: Socket
  #received: Buffer = Buffer.alloc(0)
  #answered: (answer: Buffer) => void = () => {}
  #broken: (error: Error) => void = () => {}

  private constructor(socket: Socket) {
    this.#socket = socket
    socket.setNoDelay(true)
    socket.on('error', error => this.#broken(error))
    socket.on('close', () => this.#broken(new Error('the server has ended the connection')))
    socket.on('data', chunk => this.#take(chunk))
  }

  static async open(url: string): Promise<HttpLine> {
    const { hostname, port } = new URL(url)
    const socket = connect(Number(port), hostname)
    await once(socket, 'connect')
    return new HttpLine(socket)
  }

  /** Returns the bytes of a request: a POST if there is a line, a body behind headers that end with tabs. */
  static request(url: string, path: string, line?: string, headers: readonly string[] = []): Buffer {
    const own = line?.split('\t') ?? []
    const body = own.pop()
    const head = [
      `${body === undefined ? 'GET' : 'POST'} ${path} HTTP/1.1`,
      `Host: ${new URL(url).host}`,
      'Accept: application/json',
      ...headers,
      ...own,
      ...(body === undefined
        ? []
        : ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`]),
    ]
    return Buffer.from(`${head.join('\r\n')}\r\n\r\n${body ?? ''}`)
  }

  /** Sends a request; returns the whole response, head and body. Rejects if the connection ends. */
  ask(request: Buffer): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      this.#answered = resolve
      this.#broken = reject
      this.#socket.write(request)
    })
  }

  end(): void {
    this.#socket.end()
  }

  #take(chunk: Buffer): void {
    this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk])
    const length = answerLength(this.#received)
    if (length === undefined || this.#received.length < length) return
    const answer = this.#received.subarray(0, length)
    this.#received = this.#received.subarray(length)
    this.#answered(answer)
  }
}

/** Returns the length of the response at the start of the bytes, once its head is complete. */
function answerLength(received: Buffer): number | undefined {
  const head = received.indexOf(END_OF_HEAD)
  if (head < 0) return undefined
  const body = /content-length: (\d+)/i.exec(received.toString('latin1', 0, head))?.[1]
  return head + END_OF_HEAD.length + Number(body)
}
