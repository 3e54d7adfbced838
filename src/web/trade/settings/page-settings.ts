import { computed, effect, untracked } from '@preact/signals'
import { RaayClient } from '../../../client/client.js'
import { sharedStorage } from '../../kit/browser-memory.js'
import type { SettingName, UserSettings } from './known-settings.js'
import { DEFAULTS, isSetting } from './known-settings.js'
import { SettingsCopies } from './settings-copies.js'
import { isOwnerKnown, rememberOwner, settingsOwner } from './settings-owner.js'
import { SettingsSync } from './settings-sync.js'

const PAUSE_MS = 3000

/** Sends each request once; the next change or page tries again. */
const { site } = new RaayClient({ url: location.origin, attemptsMax: 1 })
const copies = new SettingsCopies(sharedStorage)

/** The settings of this page’s user or visitor. */
export const settings = computed<UserSettings>(() => ({
  ...DEFAULTS,
  ...copies.of(settingsOwner.value).chosen,
}))

/** Undefined for a visitor, and until it is known who is signed in. */
let sync: SettingsSync | undefined

/** Follows the user, and other tabs of this browser. */
export function startSettings(): void {
  effect(() => {
    const owner = settingsOwner.value
    const isKnown = isOwnerKnown.value
    untracked(() => {
      copies.load(owner)
      if (isKnown) rememberOwner(owner)
      sync = isKnown && owner !== undefined ? syncFor(owner) : undefined
      void sync?.run()
    })
  })
  addEventListener('storage', event => copies.adopt(event))
}

/** Changes a setting: a user’s wherever they trade, a visitor’s in this browser. */
export function changeSetting<Name extends SettingName>(name: Name, value: UserSettings[Name]): void {
  if (!isSetting(name, value)) return
  const owner = settingsOwner.peek()
  if (sync !== undefined) sync.change(name, value)
  else copies.store(owner, copies.load(owner).withChosen(name, value))
}

function syncFor(owner: string): SettingsSync {
  copies.moveVisitorsTo(owner)
  const which = { userid: owner }
  return new SettingsSync({
    load: () => copies.load(owner),
    store: kept => copies.store(owner, kept),
    fetch: () => site.fetchSettings(which),
    save: stored => site.saveSettings(stored, which),
    pause: () => new Promise(resolve => setTimeout(resolve, PAUSE_MS)),
  })
}
