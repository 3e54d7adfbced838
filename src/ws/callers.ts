import type { Identity } from '../access/identity.js'
import { isStranger } from '../access/identity.js'
import { networkKey } from '../access/limits/network-key.js'
import { SOCKET_LIMITS } from '../api/socket-limits.js'
import type { SocketLimits } from './budget.js'
import type { Connection } from './connection.js'

const { perAddressMax: PER_ADDRESS_MAX } = SOCKET_LIMITS
const { connections: CONNECTIONS_MAX, channels: CHANNELS_MAX } = SOCKET_LIMITS.perUserMax

/** The connections by their callers' credentials and users. */
export class Callers {
  readonly #byCredential = new Map<string, Set<Connection>>()
  readonly #byUser = new Map<string, Set<Connection>>()
  /** Those of users and those without, apart: strangers at an address leave users room. */
  readonly #byAddress = {
    users: new Map<string, Set<Connection>>(),
    strangers: new Map<string, Set<Connection>>(),
  }
  readonly #limits: SocketLimits

  /** @param limits while there are some, an address has a bounded number of connections */
  constructor(limits: SocketLimits = { limiter: undefined }) {
    this.#limits = limits
  }

  /** Returns true if a user and an address may have this connection, too. */
  hasRoom(caller: Identity, connection: Connection): boolean {
    if (this.#limits.limiter !== undefined) {
      const kind = kindOf(caller)
      const near = this.#byAddress[kind].get(networkKey(connection.address))
      if (near !== undefined && near.size >= PER_ADDRESS_MAX[kind] && !near.has(connection)) return false
    }
    const own = this.#byUser.get(caller.userId ?? '')
    return own === undefined || own.size < CONNECTIONS_MAX || own.has(connection)
  }

  /** Returns true if the user of a connection may follow another channel. */
  mayFollowMore({ caller: { userId } }: Connection): boolean {
    let count = 0
    for (const { places, userPlaces } of this.#byUser.get(userId ?? '') ?? []) {
      count += places.size + userPlaces.size
    }
    return count < CHANNELS_MAX
  }

  /** Sets the caller of a connection. */
  enter(connection: Connection, caller: Identity): void {
    this.leave(connection)
    connection.caller = caller
    add(this.#byCredential, caller.credential, connection)
    add(this.#byUser, caller.userId, connection)
    add(this.#byAddress[kindOf(caller)], networkKey(connection.address), connection)
  }

  leave(connection: Connection): void {
    const { credential, userId } = connection.caller
    remove(this.#byCredential, credential, connection)
    remove(this.#byUser, userId, connection)
    remove(this.#byAddress[kindOf(connection.caller)], networkKey(connection.address), connection)
  }

  /** Returns the connections with a credential. */
  of(credential: string): readonly Connection[] {
    return [...(this.#byCredential.get(credential) ?? [])]
  }
}

function kindOf(caller: Identity): 'users' | 'strangers' {
  return isStranger(caller) ? 'strangers' : 'users'
}

function add(map: Map<string, Set<Connection>>, key: string | undefined, connection: Connection): void {
  if (key === undefined) return
  const known = map.get(key)
  if (known === undefined) map.set(key, new Set([connection]))
  else known.add(connection)
}

function remove(map: Map<string, Set<Connection>>, key: string | undefined, connection: Connection): void {
  if (key === undefined) return
  const known = map.get(key)
  known?.delete(connection)
  if (known?.size === 0) map.delete(key)
}
