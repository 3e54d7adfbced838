import type { Config } from './config/config.js'

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
