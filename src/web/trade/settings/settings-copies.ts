import { signal } from '@preact/signals'
import { KeptSettings, NOTHING_KEPT } from './kept-settings.js'

/** A user; undefined for a visitor. */
export type SettingsOwner = string | undefined

/** The storage that all tabs of a browser share, if it has one. */
interface SharedStorage {
  readonly read: (key: string) => string | undefined
  /** Without a text, removes it. */
  readonly write: (key: string, text: string | undefined) => void
}

/**
 * The settings of each user of this browser, and of its visitors, apart from each other. Where the browser
 * forbids storage they last as long as the page.
 */
export class SettingsCopies {
  readonly #storage: SharedStorage
  readonly #copies = signal<ReadonlyMap<string, KeptSettings>>(new Map())

  constructor(storage: SharedStorage) {
    this.#storage = storage
  }

  /** Returns a copy; computations that call this run again when it changes. */
  of(owner: SettingsOwner): KeptSettings {
    return this.#copies.value.get(keyOf(owner)) ?? NOTHING_KEPT
  }

  load(owner: SettingsOwner): KeptSettings {
    const key = keyOf(owner)
    const kept = this.#copies.peek().get(key) ?? KeptSettings.read(this.#storage.read(key))
    this.#put(key, kept)
    return kept
  }

  store(owner: SettingsOwner, kept: KeptSettings): void {
    this.#put(keyOf(owner), kept)
    this.#storage.write(keyOf(owner), kept === NOTHING_KEPT ? undefined : JSON.stringify(kept))
  }

  /** Gives what a visitor chose to the user that they become; the next user does not find it. */
  moveVisitorsTo(owner: string): void {
    const visitors = this.load(undefined)
    if (visitors === NOTHING_KEPT) return
    this.store(owner, this.load(owner).withVisitors(visitors))
    this.store(undefined, NOTHING_KEPT)
  }

  /** Takes over what another tab has stored. */
  adopt({ key, newValue }: { readonly key: string | null; readonly newValue: string | null }): void {
    if (key !== null && this.#copies.peek().has(key)) this.#put(key, KeptSettings.read(newValue ?? undefined))
  }

  #put(key: string, kept: KeptSettings): void {
    const copies = this.#copies.peek()
    if (copies.get(key) !== kept) this.#copies.value = new Map([...copies, [key, kept]])
  }
}

/** Returns where the settings of a user are in this browser. */
function keyOf(owner: SettingsOwner): string {
  return owner === undefined ? 'raay.settings' : `raay.settings.${owner}`
}
