import { readOperatorKey } from '../../src/access/operator-key.js'
import { openApiDocument } from '../../src/docs/openapi/openapi.js'
import { Dice, seedOfEnvironment } from '../fixtures/dice.js'
import type { OpenApi } from '../fixtures/documented-api.js'
import { DocumentedApi } from '../fixtures/documented-api.js'
import { hs256Token, JWT_FLAGS } from '../fixtures/hs256-token.js'
import { runRaay } from '../fixtures/raay-command.js'
import { mutated } from '../fixtures/server/server-mutations.js'
import type { RawAnswer, RawConnection } from '../fixtures/server/server-raw.js'
import { exchanged, wrongAnswers } from '../fixtures/server/server-raw.js'
import type { SpawnedServer } from '../fixtures/server-process.js'
import { spawnTestServer } from '../fixtures/server-process.js'
import { hostileFrames } from '../fixtures/sockets/frame-grammar.js'
import { FrameSender } from './frame-sender.js'
import { HEALTH_MS_MAX } from './health-limit.js'
import type { InnocentReport } from './innocent-child.js'
import type { Credential } from './live-credentials.js'
import { bearerLines, freshCredentials, LiveCredentials } from './live-credentials.js'
import { RequestGrammar, USERS } from './request-grammar.js'
import { reportOf, sideProcess } from './side-process.js'

const TOGETHER = 100
const SOCKETS = 10
const SHOWN_MAX = 10
const PROGRESS = 20_000
/** Requests end sessions, keys and accounts; these are made again this often. */
const RENEWAL = 1000
/** The least share of requests, in percent, that someone known sends. */
const KNOWN_PERCENT_MIN = 67
const INNOCENT = new URL('./innocent-child.js', import.meta.url)

type Say = (line: string) => unknown

export type Mode = 'open' | 'jwt' | 'accounts'

/** The modes under test, and the flags of their servers; with limits most of it is refused. */
export const MODES: Readonly<Record<Mode, readonly string[]>> = {
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
  say(`${requests} requests in ${mode} mode, RAAY_SEED=${dice.seed}`)
  const wrong: string[] = []
  const seen = new Map<number, number>()
  try {
    const flags = ['--shards', '2', ...MODES[mode]]
    const server = await spawnTestServer({ teardown: end => ends.unshift(end) }, { flags })
    const codes = [await server.client.createEvent(), await server.client.createEvent()] as const
    const fuzz = new Fuzz(server, dice, codes, mode)
    const innocent = await sideProcess(INNOCENT, [server.url, readOperatorKey(server.data)], end =>
      ends.unshift(end),
    )
    for (let sent = 0; sent < requests && wrong.length < SHOWN_MAX; sent += TOGETHER) {
      if (sent % RENEWAL === 0) await fuzz.renew()
      wrong.push(...(await fuzz.round(seen)))
      if ((sent + TOGETHER) % PROGRESS === 0)
        say(`${sent + TOGETHER} requests, ${wrong.length} wrong answers`)
    }
    wrong.push(...healthFaults(await reportOf<InnocentReport>(innocent), say), ...knownFaults(mode, seen))
    wrong.push(...(await faultsAfter(server)))
  } finally {
    for (const end of ends) await end()
  }
  const statuses = [...seen].sort(([a], [b]) => a - b).map(([status, count]) => `${status} × ${count}`)
  for (const line of wrong.slice(0, SHOWN_MAX)) say(`RAAY_SEED=${dice.seed}: ${line}`)
  say(`${statuses.join(', ')}; ${wrong.length} faults`)
  return wrong.length === 0
}

/** Tokens of users and operators. */
const LIVE_TOKENS: readonly Credential[] = [
  ...['ada', 'ada', 'bob', 'cyd'].map(user => ({ lines: bearerLines(hs256Token(user)), user })),
  { lines: bearerLines(hs256Token('dev', { role: 'viewer' })) },
  { lines: bearerLines(hs256Token('eve', { role: 'operator' })) },
  { lines: bearerLines(hs256Token('eve', { role: 'admin', scope: 'read money' })) },
]
/** Others that are expired, forged or no tokens at all. */
const DEAD_TOKENS = [
  hs256Token('ada', { exp: 1 }),
  hs256Token('ada', { role: 'king' }),
  hs256Token('ada', {}, { secret: 'another-secret-of-nobody-0123456789' }),
  hs256Token('ada', {}, { header: { alg: 'none' } }),
  ...[`rk_${'x'.repeat(43)}`, 'x'.repeat(20), 'x'.repeat(5000), 'a.b.c'],
]
const DEAD: readonly Credential[] = DEAD_TOKENS.map(token => ({ lines: bearerLines(token) }))

class Fuzz {
  readonly #server: SpawnedServer
  readonly #dice: Dice
  readonly #codes: readonly [string, ...string[]]
  readonly #grammar: RequestGrammar
  readonly #port: number
  readonly #mode: Mode
  /** The operator's. */
  readonly #own: Credential
  readonly #credentials: LiveCredentials
  readonly #api = new DocumentedApi(JSON.parse(JSON.stringify(openApiDocument('1.2.3'))) as OpenApi)
  readonly #frames: FrameSender

  constructor(server: SpawnedServer, dice: Dice, codes: readonly [string, ...string[]], mode: Mode) {
    this.#server = server
    this.#mode = mode
    this.#dice = dice
    this.#codes = codes
    this.#own = { lines: bearerLines(readOperatorKey(server.data)) }
    this.#credentials = new LiveCredentials(dice, [this.#own, ...LIVE_TOKENS], DEAD)
    this.#grammar = new RequestGrammar(dice, codes, this.#credentials)
    this.#port = Number(new URL(server.url).port)
    this.#frames = new FrameSender(this.#port)
  }

  /** Makes the credentials valid again that requests have ended. */
  async renew(): Promise<void> {
    if (this.#mode !== 'accounts') return
    const { client, data } = this.#server
    this.#credentials.renew(await freshCredentials(client, readOperatorKey(data), USERS))
  }

  /** Sends a hundred requests and ten streams of frames at once; returns what is wrong with the answers. */
  async round(seen: Map<number, number>): Promise<string[]> {
    const dice = this.#dice
    const requests = Array.from({ length: TOGETHER }, () => {
      const { id, text } = this.#grammar.grow()
      return dice.percent(60) ? { id, text } : { id: undefined, text: mutated(dice, text) }
    })
    const streams = Array.from({ length: SOCKETS }, () => hostileFrames(dice, dice.oneOf(this.#codes)))
    const { client } = this.#server
    // Documented requests wait for their response; others may be cut off before it.
    const settled = async (connections: readonly RawConnection[]) => {
      await this.#server.client.get('/healthz')
      const plain = connections.filter((_, index) => requests[index]?.id !== undefined)
      await Promise.all(plain.map(connection => connection.answered()))
    }
    const frames = Promise.all(streams.map(stream => this.#frames.send(client, stream, this.#socketToken())))
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

  /** Returns a token that a WebSocket opens with; undefined for none. Requests can end those of accounts. */
  #socketToken(): string | undefined {
    if (this.#dice.percent(50)) return undefined
    const { lines } = this.#mode === 'accounts' ? this.#own : this.#credentials.pickLive()
    return /^Authorization: Bearer (.*)$/.exec(lines[0] ?? '')?.[1]
  }
}

/** Says how late the health check was; returns its responses that are faults, however late. */
function healthFaults({ health, ownDelayMs }: InnocentReport, say: Say): string[] {
  const { worstMs, lateCount, counts } = health
  const count = Object.values(counts).reduce((sum, some) => sum + some, 0)
  say(
    `/healthz: ${lateCount} of ${count} later than ${HEALTH_MS_MAX} ms, the latest ${worstMs.toFixed(0)} ms, ` +
      `of which the client's own delay is up to ${ownDelayMs.toFixed(0)} ms`,
  )
  return Object.entries(counts).flatMap(([status, some]) =>
    status === '200' ? [] : [`/healthz: ${status} × ${some}`],
  )
}

/** Returns a fault if too few requests came past the door. */
function knownFaults(mode: Mode, seen: ReadonlyMap<number, number>): string[] {
  if (mode !== 'accounts') return []
  const all = [...seen.values()].reduce((sum, some) => sum + some, 0)
  const percent = 100 - (100 * (seen.get(401) ?? 0)) / Math.max(1, all)
  return percent < KNOWN_PERCENT_MIN ? [`only ${percent.toFixed(0)} % of the requests passed the door`] : []
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
export async function faultsAfter(server: SpawnedServer): Promise<string[]> {
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
