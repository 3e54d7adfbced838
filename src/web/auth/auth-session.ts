import { computed, signal } from '@preact/signals'
import type { SessionStatus } from '../../api/auth/auth-shape.js'
import { RaayError } from '../../client/raay-error.js'
import { isMembersOnly } from '../kit/page-site.js'
import { callAuth } from './auth-client.js'

/** How to sign in here, and who has; undefined until the exchange has answered. */
export const authSession = signal<SessionStatus | undefined>(undefined)

/** True for a visitor of a site for members; undefined until it is known who looks at such a page. */
export const isShutOut = computed(() => {
  const session = authSession.value
  if (session === undefined) return isMembersOnly ? undefined : false
  return session.reads === 'members' && session.caller?.scopes.includes('read') !== true
})

/** Asks the exchange who is signed in. Rejects with RaayError, and keeps what was known. */
export async function loadSession(): Promise<SessionStatus> {
  const session = await callAuth<SessionStatus>('GET', '/session')
  authSession.value = session
  return session
}

/** Ends the session and loads a public page. Rejects with RaayError. */
export async function signOut(address: string): Promise<void> {
  await callAuth('POST', '/logout').catch(error => {
    // Without a session, or with one that cannot be ended here, nothing is left to do.
    if (!(error instanceof RaayError && (error.code === 401 || error.code === 403))) throw error
  })
  location.assign(address)
}
