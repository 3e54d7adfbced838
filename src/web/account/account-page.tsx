import { useEffect } from 'preact/hooks'
import type { SessionStatus } from '../../api/auth/auth-shape.js'
import { signOut } from '../auth/auth-session.js'
import { isOperator } from '../auth/is-operator.js'
import { signInAddress } from '../auth/next-page.js'
import { useAction } from '../forms/action.js'
import { KeysCard } from './keys-card.jsx'
import { PasskeysCard } from './passkeys-card.jsx'
import { PasswordCard } from './password-card.jsx'
import { SessionsCard } from './sessions-card.jsx'

/** One’s own account: password, passkeys, sessions, API keys. */
export function AccountPage({ session }: { readonly session: SessionStatus }) {
  const { caller } = session
  const { fault, isBusy, run } = useAction()
  const isSignedIn = caller?.kind === 'session' || caller?.kind === 'operator_session'
  useEffect(() => {
    document.title = 'Account · Raay'
    if (!isSignedIn) location.replace(signInAddress('/account'))
  }, [isSignedIn])
  if (!isSignedIn) return null
  return (
    <div class="account">
      <div class="account-head">
        <h1>{caller.userid ?? 'Operator'}</h1>
        <p>
          <span class="tag">{caller.role}</span>{' '}
          {isOperator(caller) && (
            <a class="button button-small" href="/admin">
              Admin
            </a>
          )}{' '}
          <button
            type="button"
            class="button button-small"
            disabled={isBusy}
            onClick={() => run(() => signOut('/'))}
          >
            Sign out
          </button>
        </p>
      </div>
      {fault !== undefined && (
        <p class="fault" role="alert">
          {fault.words}
        </p>
      )}
      {caller.userid === null ? (
        <p class="notice">
          You are signed in with the operator’s key, which belongs to no account. It cannot trade.
        </p>
      ) : (
        <>
          <PasswordCard name={caller.userid} />
          <PasskeysCard areUsable={session.passkeys} />
          <KeysCard scopes={caller.scopes} />
        </>
      )}
      <SessionsCard />
    </div>
  )
}
