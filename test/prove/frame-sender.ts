import { asyncApiDocument } from '../../src/docs/asyncapi/asyncapi.js'
import type { AsyncApi } from '../fixtures/documented-socket.js'
import { DocumentedSocket } from '../fixtures/documented-socket.js'
import { framesAfterHandshake, openRawSocket } from '../fixtures/sockets/ws-raw.js'

/** Sends frames as they are, and compares the answers with their documents. */
export class FrameSender {
  readonly #port: number
  readonly #documented = new DocumentedSocket(
    JSON.parse(JSON.stringify(asyncApiDocument('1.2.3'))) as AsyncApi,
  )

  constructor(port: number) {
    this.#port = port
  }

  /** Sends frames over a connection of their own; returns what is wrong with the answers. */
  async send(
    client: { get(path: string): Promise<unknown> },
    stream: Buffer,
    token: string | undefined,
  ): Promise<string[]> {
    const connection = await openRawSocket(this.#port, token)
    connection.write(stream)
    await client.get('/healthz')
    await connection.end()
    const { texts } = framesAfterHandshake(connection)
    return texts.flatMap(text => this.#documented.faultsIn(JSON.parse(text)))
  }
}
