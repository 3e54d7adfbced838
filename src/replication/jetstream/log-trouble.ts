import type { NatsConnection } from '@nats-io/transport-node'
import { PermissionViolationError } from '@nats-io/transport-node'

/** Attempts in a row after which an operator should know. */
const ATTEMPTS_BEFORE_TROUBLE = 4

/** Why a stream acknowledges no lines: an election passes by itself, and other reasons do not. */
export class LogTrouble {
  /** Called with why no line is acknowledged; undefined once one is. */
  told: (reason: string | undefined) => void = () => undefined
  /** Attempts without an acknowledgement since the last one. */
  #attempts = 0
  /** The last thing that the servers did not permit, which they say instead of an answer. */
  #forbidden: string | undefined

  constructor(connection: Pick<NatsConnection, 'status'>) {
    void this.#watchPermissions(connection)
  }

  /** True once a second attempt is made: what a server refuses at once would be sent without end. */
  get isRepeated(): boolean {
    return this.#attempts > 1
  }

  noteAttempt(error: unknown): void {
    this.#attempts++
    if (this.#attempts >= ATTEMPTS_BEFORE_TROUBLE) this.told(this.#forbidden ?? reasonOf(error))
  }

  noteAcknowledged(): void {
    const wasTold = this.#attempts >= ATTEMPTS_BEFORE_TROUBLE
    this.#attempts = 0
    if (!wasTold) return
    this.#forbidden = undefined
    this.told(undefined)
  }

  async #watchPermissions(connection: Pick<NatsConnection, 'status'>): Promise<void> {
    for await (const status of connection.status()) {
      if (status.type !== 'error' || !(status.error instanceof PermissionViolationError)) continue
      this.#forbidden = status.error.message
    }
  }
}

/** Returns what to tell an operator; some errors of the client are a code, or silence. */
function reasonOf(error: unknown): string {
  const { message } = error instanceof Error ? error : new Error(String(error))
  return /^(timeout|503|no responders)$/i.test(message) ? `the servers do not answer (${message})` : message
}
