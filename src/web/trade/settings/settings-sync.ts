import type { KeptSettings, StoredSettings } from './kept-settings.js'
import type { SettingName, UserSettings } from './known-settings.js'

export interface SyncOptions {
  /** Returns the user’s settings in this browser. */
  readonly load: () => KeptSettings
  readonly store: (kept: KeptSettings) => void
  readonly fetch: () => Promise<StoredSettings>
  readonly save: (settings: StoredSettings) => Promise<void>
  /** Ends when the next requests may be sent. */
  readonly pause: () => Promise<void>
}

/**
 * Keeps one user’s settings in this browser and those on the exchange together. A failure shows nowhere: what
 * was changed counts here, and is sent with the next change or from the next page.
 */
export class SettingsSync {
  readonly #options: SyncOptions
  #stored: StoredSettings | undefined
  #isBusy = false
  #isWanted = false

  constructor(options: SyncOptions) {
    this.#options = options
  }

  /** Changes a setting here at once, and on the exchange soon. */
  change<Name extends SettingName>(name: Name, value: UserSettings[Name]): void {
    const { load, store } = this.#options
    if (this.#stored?.[name] === value && load().chosen[name] === value) return
    store(load().withChange(name, value))
    void this.run()
  }

  /** Exchanges settings now or after the pause; changes in between go together. */
  async run(): Promise<void> {
    const { load, pause } = this.#options
    this.#isWanted = true
    if (this.#isBusy) return
    this.#isBusy = true
    do {
      this.#isWanted = false
      await this.#exchange().catch(() => {})
      await pause()
    } while (this.#isWanted && load().unsaved.length > 0)
    this.#isBusy = false
  }

  /** Reads before it writes: another browser or a bot may have changed other settings. */
  async #exchange(): Promise<void> {
    const { load, store, fetch, save } = this.#options
    const stored = await fetch()
    const kept = load().withStored(stored)
    this.#stored = stored
    store(kept)
    if (kept.unsaved.length === 0) return
    const saved = kept.toStore(stored)
    await save(saved)
    this.#stored = saved
    store(load().withSaved(saved))
  }
}
