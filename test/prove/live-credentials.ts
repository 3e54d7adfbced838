import type { Dice } from '../fixtures/dice.js'
import { ServerClient } from '../fixtures/server/server-client.js'

/** How a request says who sends it. */
export interface Credential {
  /** Header lines. */
  readonly lines: readonly string[]
  /** The user whose things it may touch; undefined for any. */
  readonly user?: string | undefined
}

/** Of a hundred requests; the others have a credential that is wrong, revoked or expired, or none. */
const LIVE_PERCENT = 90
const PASSWORD = 'a sentence to remember'
const KEY_SCOPES = { trader: ['read', 'trade'], admin: ['read', 'trade', 'money', 'operate'] } as const

type Role = keyof typeof KEY_SCOPES

/** Returns the lines of a token. */
export const bearerLines = (token: string): readonly string[] => [`Authorization: Bearer ${token}`]

/** The credentials of an exchange's users, most of them valid. */
export class LiveCredentials {
  readonly #dice: Dice
  #live: readonly Credential[]
  readonly #dead: Credential[]

  /** @param dead wrong ones of any kind */
  constructor(dice: Dice, live: readonly Credential[], dead: readonly Credential[]) {
    this.#dice = dice
    this.#live = live
    this.#dead = [...dead]
  }

  /** Returns one for a request: valid or not. */
  pick(): Credential {
    const dice = this.#dice
    if (dice.percent(LIVE_PERCENT)) return dice.oneOf(this.#live as readonly [Credential])
    return dice.percent(30) ? { lines: [] } : dice.oneOf(this.#dead as unknown as readonly [Credential])
  }

  /** Returns one that is valid, as far as is known. */
  pickLive(): Credential {
    return this.#dice.oneOf(this.#live as readonly [Credential])
  }

  /** Uses others from now on; those before count as dead. */
  renew(live: readonly Credential[]): void {
    this.#dead.push(...this.#live.filter(({ user }) => user !== undefined))
    this.#dead.splice(0, this.#dead.length - DEAD_MAX)
    this.#live = live
  }
}

const DEAD_MAX = 50
/** Accounts that have signed in again so far. */
let recoveries = 0

/**
 * Makes each account able to sign in again, whatever the requests before have done to it, and returns the
 * session and a key of each, beside the operator's key. Those that it had before end.
 */
export async function freshCredentials(
  client: ServerClient,
  operatorKey: string,
  names: readonly string[],
): Promise<Credential[]> {
  const own = { lines: bearerLines(operatorKey) }
  const made: Credential[] = [own]
  // One after the other: too many passwords at once are 503.
  for (const [index, name] of names.entries()) {
    made.push(...(await credentialsOf(client, name, index === 0 ? 'admin' : 'trader')))
  }
  return made
}

async function credentialsOf(client: ServerClient, name: string, role: Role): Promise<Credential[]> {
  const account = `/auth/users/${name}`
  await client.post('/auth/users', { name, role, password: PASSWORD })
  await client.post(`${account}/enable`, {})
  await client.post(`${account}/role`, { role })
  const { body } = await client.post(`${account}/recovery`, {})
  const { url = '' } = (body.additional ?? {}) as { readonly url?: string }
  const token = new URL(url).hash.replace('#token=', '')
  const visitor = new ServerClient(client.url)
  // Sign-ins from one address are limited, and need TLS from other machines.
  recoveries++
  const address = { 'X-Forwarded-For': `127.1.${(recoveries >> 8) % 256}.${recoveries % 256}` }
  const recovering = { token, password: PASSWORD }
  const { headers, ...recovered } = await visitor.post('/auth/recover', recovering, address)
  const [cookie = ''] = (headers.get('set-cookie') ?? '').split(';')
  const session = { cookie, origin: client.url }
  await dropKeys(client, name)
  const key = await visitor.post('/auth/keys', { name: 'fuzz', scopes: KEY_SCOPES[role] }, session)
  const { key: keyToken = '' } = (key.body.additional ?? {}) as { readonly key?: string }
  if (cookie === '' || keyToken === '')
    throw new Error(`no credentials for ${name}: ${JSON.stringify([recovered, key.body])}`)
  // The host of a request is `localhost`, without a port.
  const lines = [`Cookie: ${cookie}`, 'Origin: http://localhost', 'Sec-Fetch-Site: same-origin']
  const user = role === 'admin' ? undefined : name
  return [
    { lines, user },
    { lines: bearerLines(keyToken), user },
  ]
}

async function dropKeys(client: ServerClient, name: string): Promise<void> {
  const { body } = await client.get(`/auth/keys?user=${name}`)
  const { keys } = body.additional as { readonly keys: readonly { readonly id: number }[] }
  for (const { id } of keys) await client.send('DELETE', `/auth/keys/${id}?user=${name}`)
}
