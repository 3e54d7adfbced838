import { createHmac, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { closedLoop } from './closed-loop.js'
import { comparisonTable } from './measuring/comparison.js'
import type { Side } from './measuring/rounds.js'
import { measureInTurn } from './measuring/rounds.js'
import { hasWrk, wrkLoad } from './measuring/wrk.js'
import { createEvent, orderBodies } from './orders.js'
import type { ServerChild } from './server-child.js'
import { startRaay } from './server-child.js'

const EVENTS = 8
const BODIES = 5000
const CONNECTIONS = 50
const WARM_UP_SECONDS = 2
/** Each account costs a password hash; together they may have more open orders than the bench leaves. */
const ACCOUNTS = 120
/** So many that none reaches a limit. */
const TOKENS = 2000
const PASSWORD = 'correct horse battery staple'
const BALANCE = ['--starting-balance', '900000']
const UNLIMITED = ['--rate-limits', 'off']
const LIMITED = ['--rate-limits', 'on', '--trusted-proxy', '127.0.0.1']

/** Headers of a user's requests: names and values, ended by tabs, in front of a body. */
type HeadersOf = (userId: string) => string

interface Door {
  readonly name: string
  readonly settings: readonly string[]
  readonly users: number
  readonly open: (url: string) => Promise<HeadersOf>
}

const secret = randomBytes(32).toString('hex')
const ACCOUNTS_MODE = ['--auth', 'accounts', '--sign-up', 'open', ...BALANCE, ...UNLIMITED]
const JWT_MODE = ['--auth', 'jwt', '--jwt-secret', secret, ...BALANCE]

const DOORS: readonly Door[] = [
  { name: 'open', settings: [], users: TOKENS, open: async () => () => '' },
  { name: 'API key', settings: ACCOUNTS_MODE, users: ACCOUNTS, open: url => signUp(url, 'key') },
  { name: 'session', settings: ACCOUNTS_MODE, users: ACCOUNTS, open: url => signUp(url, 'session') },
  { name: 'JWT', settings: [...JWT_MODE, ...UNLIMITED], users: TOKENS, open: async () => withToken },
  {
    name: 'JWT, limits',
    settings: [...JWT_MODE, ...LIMITED],
    users: TOKENS,
    open: async () => userId => `${withToken(userId)}X-Forwarded-For: ${addressOf(userId)}\t`,
  },
]

/** Compares durable orders of callers who are identified with those of the mode `open`, all in turn. */
export async function benchDoor(): Promise<void> {
  const sides: Side[] = []
  const fast = hasWrk() ? wrkLoad : closedLoop
  try {
    for (const door of DOORS) sides.push(await sideOf(door))
    for (const { server, bodies } of sides) await fast(server.url, bodies, CONNECTIONS, WARM_UP_SECONDS)
    const [rounds, seconds] = [7, 3]
    console.log(`Orders, ${CONNECTIONS} connections; ${rounds} rounds of ${seconds} s each in turn, medians`)
    const options = { load: fast, rounds, seconds, connections: CONNECTIONS }
    console.log(comparisonTable(await measureInTurn(sides, options)))
  } finally {
    for (const { server } of sides) await server.stop()
  }
}

async function sideOf({ name, settings, users, open }: Door): Promise<Side> {
  const server = await startRaay({ settings })
  const key = operatorKey(server)
  const codes: [string, ...string[]] = [await createEvent(server.url, 'Door 1', key)]
  while (codes.length < EVENTS) codes.push(await createEvent(server.url, `Door ${codes.length + 1}`, key))
  const headersOf = await open(server.url)
  const bodies = orderBodies(BODIES, codes, users).map(body => `${headersOf(userIn(body))}${body}`)
  return { name, server, bodies }
}

function operatorKey({ data = '' }: ServerChild): string {
  return readFileSync(join(data, 'operator.key'), 'utf8').trim()
}

function userIn(body: string): string {
  return (JSON.parse(body) as { userid: string }).userid
}

/** Signs all users up; returns the headers with the credentials of each. */
async function signUp(url: string, kind: 'key' | 'session'): Promise<HeadersOf> {
  const headers = new Map<string, string>()
  for (let user = 1; user <= ACCOUNTS; user++) {
    const name = `user-${user}`
    const signedUp = await post(`${url}/auth/sign-up`, { name, password: PASSWORD })
    const cookie = (signedUp.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
    if (kind === 'session') {
      headers.set(name, `Cookie: ${cookie}\t`)
      continue
    }
    const made = await post(`${url}/auth/keys`, { name: 'bench', scopes: ['read', 'trade'] }, { cookie })
    const { additional } = (await made.json()) as { additional: { key: string } }
    headers.set(name, `Authorization: Bearer ${additional.key}\t`)
  }
  return userId => headers.get(userId) ?? ''
}

async function post(url: string, body: object, headers: Record<string, string> = {}): Promise<Response> {
  const response = await fetch(url, { method: 'POST', body: JSON.stringify(body), headers })
  if (!response.ok) throw new Error(`${url} was answered ${await response.text()}`)
  return response
}

function withToken(userId: string): string {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const exp = Math.floor(Date.now() / 1000) + 86_400
  const signed = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode({ sub: userId, exp })}`
  return `Authorization: Bearer ${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}\t`
}

/** Each user comes from an address of their own. */
function addressOf(userId: string): string {
  const number = Number(userId.slice('user-'.length))
  return `10.1.${number >> 8}.${number & 255}`
}
