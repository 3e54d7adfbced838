import { computed, signal } from '@preact/signals'
import { authSession } from '../auth/auth-session.js'
import { remember, remembered } from '../kit/browser-memory.js'
import { t } from '../texts/frame.js'

const NAMES_KEPT_MAX = 6
const NAME_LENGTH_MAX = 128

/** The username chosen in this browser, used where `auth` is `open`. */
const picked = signal(remembered('user'))

/** The user who trades on this page; undefined until one has signed in or chosen a username. */
export const userId = computed(() => {
  const session = authSession.value
  return session?.mode === 'open' ? picked.value : (session?.caller?.userid ?? undefined)
})

/** Usernames used in this browser, the latest first. */
export const namesBefore = computed(() => {
  const names = (remembered('names') ?? '').split('\n').filter(name => name !== '')
  return picked.value === undefined ? names : names.filter(name => name !== picked.value)
})

/** Switches to a username, or logs out without one. Returns what is wrong with the name, if anything. */
export function pickName(text: string | undefined): string | undefined {
  const name = text?.trim()
  if (name === '') return t.nameMissing
  if (name !== undefined && name.length > NAME_LENGTH_MAX) return t.nameTooLong(NAME_LENGTH_MAX)
  // Usernames are part of URLs, where a slash would end them.
  if (name !== undefined && !/^[\p{L}\p{M}\p{N}._@ -]+$/u.test(name)) return t.nameSigns
  if (name !== undefined) {
    const names = [name, ...namesBefore.value.filter(other => other !== name)].slice(0, NAMES_KEPT_MAX)
    remember('names', names.join('\n'))
  }
  remember('user', name)
  picked.value = name
  return undefined
}
