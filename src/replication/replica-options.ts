import type { ReplicationSettings } from './replica-messages.js'

/** The surroundings of a log on NATS. */
export interface ReplicaOptions {
  readonly file: string
  readonly settings: ReplicationSettings
  /** How long lines are kept that a verified backup has. */
  readonly keepMs: number
  readonly now: () => number
  readonly warn: (message: string) => void
  /** Called with why the log takes no lines, or does not answer; undefined once it does again. */
  readonly troubled?: (reason: string | undefined) => void
  /** Called if lines can no longer be sent: the exchange must stop. */
  readonly fail: (error: Error) => void
  /** Called if another exchange asks this one to make way. */
  readonly asked?: (by: string) => void
  /** Follows the log instead of sending to it, until the exchange that leads is gone. */
  readonly isStandby?: boolean
}
