import { computed } from '@preact/signals'
import { authSession } from '../../auth/auth-session.js'
import { remember, remembered } from '../../kit/browser-memory.js'
import { userId } from '../session.js'

const KEY = 'settings-of'
const lastOwner = remembered(KEY) ?? remembered('user')

/** True once the exchange has said who is signed in. */
export const isOwnerKnown = computed(() => authSession.value !== undefined)

/** The user whose settings count, undefined for a visitor; until it is known, the user of the last page. */
export const settingsOwner = computed(() => (isOwnerKnown.value ? userId.value : lastOwner))

/** Lets the next page begin with the settings of this user. */
export function rememberOwner(owner: string | undefined): void {
  remember(KEY, owner)
}
