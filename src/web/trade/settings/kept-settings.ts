import type { SettingName, UserSettings } from './known-settings.js'
import { settingsAmong } from './known-settings.js'

/** All values that the exchange stores for a user; those of bots and of other versions are among them. */
export type StoredSettings = Readonly<Record<string, string | number | boolean>>

/** The settings of one user in this browser, as they are at one time. */
export class KeptSettings {
  readonly chosen: Partial<UserSettings>
  /** Settings that the user changed here, and that the exchange does not have yet. */
  readonly unsaved: readonly SettingName[]

  constructor(chosen: Partial<UserSettings>, unsaved: readonly SettingName[]) {
    this.chosen = chosen
    this.unsaved = unsaved
  }

  /** Reads a browser’s copy; what is missing or wrong in it is left out. */
  static read(text: string | undefined): KeptSettings {
    try {
      const { chosen: values, unsaved } = JSON.parse(text ?? '{}')
      const chosen = settingsAmong(values)
      const names = Object.keys(chosen) as SettingName[]
      return new KeptSettings(
        chosen,
        names.filter(name => unsaved.includes(name)),
      )
    } catch {
      return NOTHING_KEPT
    }
  }

  /** Changes a setting in this browser alone. */
  withChosen<Name extends SettingName>(name: Name, value: UserSettings[Name]): KeptSettings {
    return new KeptSettings({ ...this.chosen, [name]: value }, this.unsaved)
  }

  /** Changes a setting that is to be saved. */
  withChange<Name extends SettingName>(name: Name, value: UserSettings[Name]): KeptSettings {
    const others = this.unsaved.filter(other => other !== name)
    return new KeptSettings({ ...this.chosen, [name]: value }, [...others, name])
  }

  /**
   * Adds what a visitor chose in this browser before they became this user. It stays in the browser: who
   * chose it is not certain.
   */
  withVisitors({ chosen }: KeptSettings): KeptSettings {
    return new KeptSettings({ ...chosen, ...this.chosen }, this.unsaved)
  }

  /** Takes over what the exchange has, except where the user has changed it here since. */
  withStored(stored: StoredSettings): KeptSettings {
    return new KeptSettings(
      { ...this.chosen, ...settingsAmong(stored), ...this.#changes() },
      this.unsaved,
    ).withSaved(stored)
  }

  /** Returns everything that the exchange is to store: what it has, with the user’s changes. */
  toStore(stored: StoredSettings): StoredSettings {
    return { ...stored, ...this.#changes() }
  }

  /** Forgets that changes were unsaved, unless they were changed once more meanwhile. */
  withSaved(saved: StoredSettings): KeptSettings {
    const unsaved = this.unsaved.filter(name => this.chosen[name] !== saved[name])
    return new KeptSettings(this.chosen, unsaved)
  }

  #changes(): Partial<UserSettings> {
    return Object.fromEntries(this.unsaved.map(name => [name, this.chosen[name]]))
  }
}

export const NOTHING_KEPT = new KeptSettings({}, [])
