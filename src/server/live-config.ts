import type { AccountOptions } from '../http/auth/auth-door.js'
import type { Gateway } from '../ws/gateway.js'
import type { BackupSchedule } from './backup-schedule.js'
import type { Config } from './config/config.js'
import type { VerifySchedule } from './verify-schedule.js'

/**
 * The configuration in use, which a reload replaces. Holders of settings that may change read them from here
 * each time; see `isLive` in the tables of settings.
 */
export class LiveConfig {
  #current: Config
  readonly #checks: ((next: Config) => () => void)[] = []
  readonly #listeners: ((now: Config, before: Config) => void)[] = []

  constructor(config: Config) {
    this.#current = config
  }

  get current(): Config {
    return this.#current
  }

  /**
   * Adds a check of each new configuration, which may throw; it returns what takes the configuration into use
   * once all checks have passed.
   */
  onCheck(check: (next: Config) => () => void): void {
    this.#checks.push(check)
  }

  /** Calls the listener after each change, in the order in which they were added. */
  onChange(listener: (now: Config, before: Config) => void): void {
    this.#listeners.push(listener)
  }

  /** Uses another configuration from now on. Throws, and has changed nothing, if a check refuses it. */
  change(config: Config): void {
    const before = this.#current
    const uses = this.#checks.map(check => check(config))

    // After this point the whole configuration is in use.
    for (const use of uses) use()
    this.#current = config
    for (const listener of this.#listeners) listener(config, before)
  }
}

interface Holders {
  readonly verifying: VerifySchedule
  readonly backingUp: BackupSchedule
  readonly gateway: Gateway
}

/** Passes changes on to those who hold a setting instead of reading it each time. */
export function passOn(live: LiveConfig, { verifying, backingUp, gateway }: Holders): void {
  live.onChange((now, before) => {
    verifying.change(now.verifyEveryHours)
    void backingUp.change(now.backupPlan)
    expelFormer(gateway, before, now)
  })
}

/** Closes the connections of callers who would no longer be let in. */
function expelFormer(gateway: Gateway, { access: before }: Config, { access: now }: Config): void {
  const isWithdrawn = before.jwt?.secrets.some(secret => !now.jwt?.secrets.includes(secret))
  if (isWithdrawn) gateway.expel('jwt')
  if (now.mode === 'jwt' && before.publicReads && !now.publicReads) gateway.expel('anonymous')
}

interface Ending {
  readonly accounts: Pick<AccountOptions, 'store'>
  readonly onKeyWithdrawn: (listener: () => void) => void
}

/** Closes the sockets of credentials that end, and those that a withdrawn key let in. */
export function expelEnded(gateway: Gateway, { accounts, onKeyWithdrawn }: Ending): void {
  accounts.store.onEnded(credential => gateway.authentication.end(credential))
  onKeyWithdrawn(() => gateway.expel('jwt'))
}
