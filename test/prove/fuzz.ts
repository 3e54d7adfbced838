import { readOperatorKey } from '../../src/access/operator-key.js'
import { asyncApiDocument } from '../../src/docs/asyncapi/asyncapi.js'
import { openApiDocument } from '../../src/docs/openapi/openapi.js'
import { Dice, seedOfEnvironment } from '../fixtures/dice.js'
import type { OpenApi } from '../fixtures/documented-api.js'
import { DocumentedApi } from '../fixtures/documented-api.js'
import type { AsyncApi } from '../fixtures/documented-socket.js'
import { DocumentedSocket } from '../fixtures/documented-socket.js'
import { hs256Token, JWT_FLAGS } from '../fixtures/hs256-token.js'
import { runRaay } from '../fixtures/raay-command.js'
import { mutated } from '../fixtures/server/server-mutations.js'
import type { RawAnswer, RawConnection } from '../fixtures/server/server-raw.js'
import { exchanged, wrongAnswers } from '../fixtures/server/server-raw.js'
import type { SpawnedServer } from '../fixtures/server-process.js'
import { spawnTestServer } from '../fixtures/server-process.js'
import { hostileFrames } from '../fixtures/sockets/frame-grammar.js'
import { framesAfterHandshake, openRawSocket } from '../fixtures/sockets/ws-raw.js'
import { RequestGrammar } from './request-grammar.js'

const TOGETHER = 100
const SOCKETS = 10
const SHOWN_MAX = 10
const PROGRESS = 20_000

type Say = (line: string) => unknown

type Mode = 'open' | 'jwt' | 'accounts'

/** The modes under test, and the flags of their servers; with limits most of it is refused. */
const MODES: Readonly<Record<Mode, readonly string[]>> = {
  open: [],
  jwt: [...JWT_FLAGS, '--rate-limits', 'off'],
  accounts: [
    '--auth',
    'accounts',
    '--sign-up',
    'open',
    '--rate-limits',
    'on',
    '--trusted-proxy',
    '127.0.0.1',
  ],
}

/**
 * Sends nonsensical requests and frames to the real server: generated from the documents, and with
 * bytes changed, with valid and forged tokens; a third of them in each mode, in `accounts` with limits. Returns true
 * if it gave only documented responses, survived, and kept all money. The seed reproduces what is sent,
 * except for order ids and the operator's key, which the exchange generates.
 */
export async function proveFuzz(requests: number, say: Say): Promise<boolean> {
  const dice = new Dice(seedOfEnvironment())
  let isWhole = true
  for (const mode of ['open', 'jwt', 'accounts'] as const) {
    if (!(await fuzzIn(mode, Math.ceil(requests / 3), dice, say))) isWhole = false
  }
  return isWhole
}

async function fuzzIn(mode: Mode, requests: number, dice: Dice, say: Say): Promise<boolean> {
  const ends: (() => unknown)[] = []
  say(`${requests} requests in the mode ${mode}, RAAY_SEED=${dice.seed}`)
  const wrong: string[] = []
  const seen = new Map<number, number>()
  try {
    const flags = ['--shards', '2', ...MODES[mode]]
    const server = await spawnTestServer({ teardown: end => ends.unshift(end) }, { flags })
    const codes = [await server.client.createEvent(), await server.client.createEvent()] as const
    const fuzz = new Fuzz(server, dice, codes, mode)
    for (let sent = 0; sent < requests && wrong.length < SHOWN_MAX; sent += TOGETHER) {
      wrong.push(...(await fuzz.round(seen)))
      if ((sent + TOGETHER) % PROGRESS === 0)
        say(`${sent + TOGETHER} requests, ${wrong.length} wrong answers`)
    }
    wrong.push(...(await faultsAfter(server)))
  } finally {
    for (const end of ends) await end()
  }
  const statuses = [...seen].sort(([a], [b]) => a - b).map(([status, count]) => `${status} × ${count}`)
  for (const line of wrong.slice(0, SHOWN_MAX)) say(`RAAY_SEED=${dice.seed}: ${line}`)
  say(`${statuses.join(', ')}; ${wrong.length} faults`)
  return wrong.length === 0
}

/** Tokens of users and operators, and others that are expired, forged or no tokens at all. */
const TOKENS = [
  ...['ada', 'ada', 'bob', 'cyd'].map(user => hs256Token(user)),
  hs256Token('dev', { role: 'viewer' }),
  hs256Token('eve', { role: 'operator' }),
  hs256Token('eve', { role: 'admin', scope: 'read money' }),
  hs256Token('ada', { exp: 1 }),
  hs256Token('ada', { role: 'king' }),
  hs256Token('ada', {}, { secret: 'another-secret-of-nobody-0123456789' }),
  hs256Token('ada', {}, { header: { alg: 'none' } }),
  ...[`rk_${'x'.repeat(43)}`, 'x'.repeat(20), 'x'.repeat(5000), 'a.b.c'],
] as const
/** Those that a WebSocket opens with; exchanges with accounts know none of them. */
const SOCKET_TOKENS = [undefined, undefined, TOKENS[0], TOKENS[5]] as const
const NO_TOKENS = [undefined] as const

class Fuzz {
  readonly #server: SpawnedServer
  readonly #dice: Dice
  readonly #codes: readonly [string, ...string[]]
  readonly #grammar: RequestGrammar
  readonly #port: number
  readonly #socketTokens: readonly [string | undefined, ...(string | undefined)[]]
  readonly #api = new DocumentedApi(JSON.parse(JSON.stringify(openApiDocument('1.2.3'))) as OpenApi)
  readonly #socket = new DocumentedSocket(JSON.parse(JSON.stringify(asyncApiDocument('1.2.3'))) as AsyncApi)

  constructor(server: SpawnedServer, dice: Dice, codes: readonly [string, ...string[]], mode: Mode) {
    this.#server = server
    this.#socketTokens = mode === 'accounts' ? NO_TOKENS : SOCKET_TOKENS
    this.#dice = dice
    this.#codes = codes
    this.#grammar = new RequestGrammar(dice, codes, [readOperatorKey(server.data), ...TOKENS])
    this.#port = Number(new URL(server.url).port)
  }

  /** Sends a hundred requests and ten streams of frames at once; returns what is wrong with the answers. */
  async round(seen: Map<number, number>): Promise<string[]> {
    const dice = this.#dice
    const requests = Array.from({ length: TOGETHER }, () => {
      const { id, text } = this.#grammar.grow()
      return dice.percent(60) ? { id, text } : { id: undefined, text: mutated(dice, text) }
    })
    const streams = Array.from({ length: SOCKETS }, () => hostileFrames(dice, dice.oneOf(this.#codes)))
    // Documented requests wait for their response; others may be cut off before it.
    const settled = async (connections: readonly RawConnection[]) => {
      await this.#server.client.get('/healthz')
      const plain = connections.filter((_, index) => requests[index]?.id !== undefined)
      await Promise.all(plain.map(connection => connection.answered()))
    }
    const frames = Promise.all(streams.map(stream => this.#frames(stream)))
    const texts = requests.map(({ text }) => text)
    const wrong: string[] = []
    for (const [index, answers] of (await exchanged(this.#port, texts, settled)).entries()) {
      for (const { status, headers } of answers) {
        seen.set(status, (seen.get(status) ?? 0) + 1)
        if (status === 201 && headers['x-order-id'] !== undefined) this.#grammar.learn(headers['x-order-id'])
      }
      const faults = this.#faultsIn(requests[index]?.id, answers)
      wrong.push(...faults.map(fault => `${JSON.stringify(texts[index]?.slice(0, 2000))}: ${fault}`))
    }
    return [...wrong, ...(await frames).flat()]
  }

  #faultsIn(id: string | undefined, answers: readonly RawAnswer[]): string[] {
    if (id === undefined) return wrongAnswers(answers.filter(answer => !isDocument(answer)))
    if (answers.length === 0) return ['no answer']
    return answers.flatMap(({ status, headers, body }) => {
      const isPacked = headers['content-encoding'] !== undefined
      const answer = { status, headers: new Headers(headers), text: body }
      // Every answer shows the limits where they are on; the documents describe them at 429 alone.
      if (status !== 429) for (const name of ['ratelimit', 'ratelimit-policy']) answer.headers.delete(name)
      return isPacked ? [] : this.#api.faultsIn(id, answer)
    })
  }

  async #frames(stream: Buffer): Promise<string[]> {
    const connection = await openRawSocket(this.#port, this.#dice.oneOf(this.#socketTokens))
    connection.write(stream)
    await this.#server.client.get('/healthz')
    await connection.end()
    const { texts } = framesAfterHandshake(connection)
    return texts.flatMap(text => this.#socket.faultsIn(JSON.parse(text)))
  }
}

/** Returns true for responses documented as compressed or without an envelope. */
function isDocument({ status, headers, body }: RawAnswer): boolean {
  const type = headers['content-type'] ?? ''
  if (headers['content-encoding'] !== undefined) return status < 500
  if (status === 304) return true
  if (status !== 200) return false
  return /^(?:text\/|image\/|font\/)/.test(type) || /^\{"(?:openapi|asyncapi)":/.test(body)
}

/** Returns the faults in the state they left behind. */
async function faultsAfter(server: SpawnedServer): Promise<string[]> {
  const { body } = await server.client.get('/ledger/verify')
  const { ok } = (body.additional ?? {}) as { readonly ok?: boolean }
  const ended = await server.kill('SIGTERM')
  const { code, stdout } = await runRaay(['verify', '--data', server.data])
  return [
    ...(ok === true ? [] : [`the ledger: ${JSON.stringify(body)}`]),
    ...(ended === 0 ? [] : [`it ended with ${ended}`]),
    ...(/fatal|"level":[56]0|Error/.test(server.stderr())
      ? [`it logged ${server.stderr().slice(0, 2000)}`]
      : []),
    ...(code === 0 ? [] : [`raay verify: ${stdout}`]),
  ]
}
