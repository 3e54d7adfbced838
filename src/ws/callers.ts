import type { Identity } from '../access/identity.js'
import { SOCKET_LIMITS } from '../api/socket-limits.js'
import type { Connection } from './connection.js'

const { connections: CONNECTIONS_MAX, channels: CHANNELS_MAX } = SOCKET_LIMITS.perUserMax

/** The connections by their callers' credentials and users. */
export class Callers {
  readonly #byCredential = new Map<string, Set<Connection>>()
  readonly #byUser = new Map<string, Set<Connection>>()

  /** Returns true if a user may have this connection, too. Callers without a user are not limited. */
  hasRoom({ userId }: Identity, connection: Connection): boolean {
    const own = this.#byUser.get(userId ?? '')
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
  }

  leave(connection: Connection): void {
    const { credential, userId } = connection.caller
    remove(this.#byCredential, credential, connection)
    remove(this.#byUser, userId, connection)
  }

  /** Returns the connections with a credential. */
  of(credential: string): readonly Connection[] {
    return [...(this.#byCredential.get(credential) ?? [])]
  }
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
