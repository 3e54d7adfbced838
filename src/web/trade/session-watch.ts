import { authSession, loadSession } from '../auth/auth-session.js'

const RETRY_MS = 1500

/** Finds out who is signed in, and again when the page comes back into view. */
export function startSession(): void {
  const ask = async () => {
    try {
      await loadSession()
    } catch {
      setTimeout(ask, RETRY_MS)
    }
  }
  void ask()
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden && authSession.peek()?.mode !== 'open') askAgain()
  })
}

/** Finds out who is signed in after a refusal that says it is someone else, or no one. */
export function checkSession(error: unknown): void {
  const { code, reason } = error as { readonly code?: number; readonly reason?: string }
  if (code === 401 || reason === 'other_user') askAgain()
}

function askAgain(): void {
  // What is known stays if the exchange does not answer.
  loadSession().catch(() => {})
}
