import { routes } from '../../src/api/routes.js'
import type { Dice } from '../fixtures/dice.js'
import { BODY_VALUES, HEADERS } from '../fixtures/server/server-mutations.js'
import type { Credential, LiveCredentials } from './live-credentials.js'

/** A request that follows the documents, or deviates from them in its values. */
export interface GrownRequest {
  /** The operation it is for, if its path, its method and its headers are as documented. */
  readonly id: string | undefined
  readonly text: string
}

type Documented = (typeof routes)[number]

/** The users of the requests. */
export const USERS = ['ada', 'bob', 'cyd', 'dev', 'eve'] as const
const ODD_PARTS = [
  '',
  '.',
  '..',
  '%00',
  '%2e%2e',
  '%2F',
  '%ff',
  '%E2%82%B9',
  '-1',
  '0',
  '1e9',
  '9999999',
  '1000001.0',
  '__proto__',
  'x'.repeat(129),
  'x'.repeat(5000),
] as const
/** Of keys, sessions, passkeys, invitations. */
const NUMBER_MAX = 60
const PREFERRED = ['wait', 'wait=1', '', ',', 'x'.repeat(2000)] as const
const ENCODINGS = ['gzip', 'br', 'identity;q=0', '*;q=0', 'gzip;q=x, br;;,', ','] as const
/** Operations for one try in a hundred, so that events stay open, disks empty and responses short. */
const RARE = [
  ...['makeBackup', 'verifyBackup', 'closeEvent', 'resolveEvent', 'haltEvent'],
  ...['getOpenApi', 'getAsyncApi', 'getDocs', 'getDocsStyle', 'getDocsScript'],
  // These end the credentials of later requests.
  ...['logOut', 'endSession', 'revokeKey', 'disableAccount', 'changeRole', 'recover', 'changePassword'],
]

const ORDERS_PERCENT = 20
const PLACE_ORDER = routes.find(({ id }) => id === 'placeOrder') as Documented

/** Grows requests for every documented operation, about the few events, users and orders that exist. */
export class RequestGrammar {
  readonly #dice: Dice
  readonly #codes: readonly [string, ...string[]]
  readonly #credentials: LiveCredentials
  /** That of the request under way. */
  #credential: Credential = { lines: [] }
  /** Order ids from responses; the oldest are dropped first. */
  readonly #orderIds: string[] = []

  constructor(dice: Dice, codes: readonly [string, ...string[]], credentials: LiveCredentials) {
    this.#dice = dice
    this.#codes = codes
    this.#credentials = credentials
  }

  /** Makes later requests name an order. */
  learn(orderId: string): void {
    if (this.#orderIds.push(orderId) > 64) this.#orderIds.shift()
  }

  grow(): GrownRequest {
    const dice = this.#dice
    const operation = this.#operation()
    this.#credential = this.#credentials.pick()
    const isOdd = dice.percent(15)
    const path = operation.path.replace(/:(\w+)/g, (_, name: string) =>
      isOdd ? dice.oneOf(ODD_PARTS) : this.#pathValue(name),
    )
    const prefix = !operation.isAtRootOnly && dice.percent(30) ? '/api/v1' : ''
    const oddHeader = dice.percent(5) ? dice.oneOf(HEADERS) : ''
    const body = operation.body === undefined ? undefined : this.#body(operation)
    const head = [
      `${operation.method.toUpperCase()} ${respelled(dice, prefix + path)}${this.#query(operation)} HTTP/1.1`,
      'Host: localhost',
      // Counts only where limits are on, and this machine is a proxy: each client soon reaches its own.
      `X-Forwarded-For: 10.0.${dice.between(0, 9)}.${dice.between(0, 99)}`,
      ...this.#headers(operation),
    ].join('\r\n')
    const text = `${head}\r\n${oddHeader}${withLength(dice, body)}`
    const isPlain = !isOdd && oddHeader === '' && operation.id !== 'openWebSocket'
    return { id: isPlain ? operation.id : undefined, text: Buffer.from(text).toString('latin1') }
  }

  #operation(): Documented {
    const dice = this.#dice
    const roll = () => routes[dice.between(0, routes.length - 1)] as Documented
    const first = dice.percent(ORDERS_PERCENT) ? PLACE_ORDER : roll()
    return RARE.includes(first.id) && !dice.percent(1) ? roll() : first
  }

  #pathValue(name: string): string {
    const dice = this.#dice
    if (name === 'code') return dice.oneOf(this.#codes)
    if (name === 'userid') return this.#user()
    if (name === 'name') return dice.oneOf(USERS)
    if (name === 'number') return String(dice.between(1, NUMBER_MAX))
    return this.#orderIds[dice.between(0, 63) % Math.max(1, this.#orderIds.length)] ?? 'none'
  }

  /** Returns the user of the credential, mostly. */
  #user(): string {
    const { user } = this.#credential
    return user !== undefined && this.#dice.percent(85) ? user : this.#dice.oneOf(USERS)
  }

  #query({ query, querySample }: Documented): string {
    const dice = this.#dice
    const fields = Object.keys(query?.shape ?? {}).flatMap(name => {
      const value = name === 'userid' ? this.#user() : encodeURIComponent(String(querySample?.[name]))
      const choice = dice.between(1, 10)
      if (choice <= 4 && name !== 'userid') return []
      return [`${name}=${choice <= 8 ? value : dice.oneOf(ODD_PARTS)}`]
    })
    if (dice.percent(3)) fields.push(`${dice.oneOf(ODD_PARTS)}=1`)
    return fields.length === 0 ? '' : `?${fields.join('&')}`
  }

  #headers({ headers }: Documented): string[] {
    const dice = this.#dice
    return [
      ...(headers !== undefined && dice.percent(30) ? [`Prefer: ${dice.oneOf(PREFERRED)}`] : []),
      ...(headers !== undefined && dice.percent(30) ? [`Idempotency-Key: key-${dice.between(1, 500)}`] : []),
      ...(dice.percent(20) ? [`Accept-Encoding: ${dice.oneOf(ENCODINGS)}`] : []),
      ...this.#credential.lines,
    ]
  }

  /** Returns a documented example about existing objects; half of the time with some values changed. */
  #body({ body }: Documented): string {
    const dice = this.#dice
    const samples = Object.values(body?.samples ?? {})
    const sample = JSON.stringify(samples[dice.between(0, samples.length - 1)], (name, value: unknown) => {
      if (name === 'event_id') return dice.oneOf(this.#codes)
      if (name === 'userid') return this.#user()
      if (name === 'offer_type') return dice.oneOf(['buy', 'sell'])
      if (name === 'outcome' && value !== 'void') return dice.oneOf(['yes', 'no'])
      if (name === 'title' || name === 'txn_id') return `${String(value)} ${dice.between(1, 10_000)}`
      if (name === 'client_order_id') return `key-${dice.between(1, 500)}`
      return value
    })
    let text = sample
    for (let change = dice.oneOf([0, 0, 1, 2, 4]); change > 0; change--) text = this.#changed(text)
    return text
  }

  /** Replaces a value, removes a field, or adds one. */
  #changed(text: string): string {
    const dice = this.#dice
    const fields = [...text.matchAll(/"(\w+)":("[^"]*"|[-\d.]+|true|false|null)/g)]
    const field = fields[dice.between(0, Math.max(0, fields.length - 1))]
    if (field === undefined) return dice.oneOf(BODY_VALUES)
    const [whole, name] = field
    const other = dice.oneOf([
      `"${name}":${dice.oneOf(BODY_VALUES)}`,
      `"${name}":${dice.oneOf(BODY_VALUES)}`,
      `"other":${dice.oneOf(BODY_VALUES)}`,
      `${whole},"other":${dice.oneOf(BODY_VALUES)}`,
    ])
    return text.slice(0, field.index) + other + text.slice(field.index + whole.length)
  }
}

/** Returns the headers for the body's length, and the body: whole or in chunks. */
function withLength(dice: Dice, body: string | undefined): string {
  if (body === undefined) return '\r\n'
  const type = dice.percent(95) ? 'Content-Type: application/json\r\n' : ''
  const length = Buffer.byteLength(body)
  if (dice.percent(90)) return `${type}Content-Length: ${length}\r\n\r\n${body}`
  return `${type}Transfer-Encoding: chunked\r\n\r\n${inChunks(dice, Buffer.from(body))}`
}

/** Divides a body into chunks: one, or up to a hundred of any lengths, some with extensions and trailers. */
function inChunks(dice: Dice, body: Buffer): string {
  const lengthMin = dice.percent(50) ? body.length : Math.ceil(body.length / 100)
  let text = ''
  for (let at = 0; at < body.length; ) {
    const part = body.subarray(at, at + dice.between(lengthMin, Math.max(lengthMin, 50)))
    const size = dice.percent(50) ? part.length.toString(16) : part.length.toString(16).padStart(6, '0')
    text += `${size}${dice.percent(10) ? ';x=y' : ''}\r\n${part.toString('latin1')}\r\n`
    at += part.length
  }
  // The whole request is written as bytes of UTF-8 later.
  return `${Buffer.from(text, 'latin1').toString()}0\r\n${dice.percent(20) ? 'X: y\r\n' : ''}\r\n`
}

/** Writes some letters of a path percent-encoded, which changes nothing. */
function respelled(dice: Dice, path: string): string {
  if (!dice.percent(20)) return path
  return path.replace(/(?<!%.?)[a-z]/g, letter =>
    dice.percent(30) ? `%${letter.charCodeAt(0).toString(16)}` : letter,
  )
}
