import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { SessionStatus } from '../../api/auth/auth-shape.js'
import { signOut } from '../auth/auth-session.js'
import { isOperator } from '../auth/is-operator.js'
import { signInAddress } from '../auth/next-page.js'
import { useAction } from '../forms/action.js'
import { setTitle } from '../kit/page-site.js'
import { t } from '../texts/account.js'
import { KeysCard } from './keys-card.jsx'
import { useLoaded } from './loaded.js'
import { PasskeysCard } from './passkeys-card.jsx'
import { PasswordCard } from './password-card.jsx'
import type { SignInWays } from './provider-card.jsx'
import { ProviderCard } from './provider-card.jsx'
import { SessionsCard } from './sessions-card.jsx'

/** One’s own account: password, passkeys, sessions, API keys. */
export function AccountPage({ session }: { readonly session: SessionStatus }) {
  const { caller } = session
  const { fault, isBusy, run } = useAction()
  const changes = useSignal(0)
  const isSignedIn = caller?.kind === 'session' || caller?.kind === 'operator_session'
  useEffect(() => {
    setTitle(t.account)
    if (!isSignedIn) location.replace(signInAddress('/account'))
  }, [isSignedIn])
  if (!isSignedIn) return null
  return (
    <div class="account">
      <div class="account-head">
        <h1>{caller.userid ?? t.operator}</h1>
        <p>
          <span class="tag">{t.roles[caller.role ?? ''] ?? caller.role}</span>{' '}
          {isOperator(caller) && (
            <a class="button button-small" href="/admin">
              {t.admin}
            </a>
          )}{' '}
          <button
            type="button"
            class="button button-small"
            disabled={isBusy}
            onClick={() => run(() => signOut('/'))}
          >
            {t.signOut}
          </button>
        </p>
      </div>
      {fault !== undefined && (
        <p class="fault" role="alert">
          {fault.words}
        </p>
      )}
      {caller.userid === null ? (
        <p class="notice">{t.operatorsKey}</p>
      ) : (
        <>
          <SignInCards
            session={session}
            name={caller.userid}
            onChanged={() => {
              changes.value++
            }}
          />
          <KeysCard key={`keys-${changes.value}`} scopes={caller.scopes} />
        </>
      )}
      <SessionsCard key={`sessions-${changes.value}`} />
    </div>
  )
}

interface SignInCardsProps {
  readonly session: SessionStatus
  readonly name: string
  /** Called once sessions or keys may have ended. */
  readonly onChanged: () => void
}

/** The cards of all ways to sign in. */
function SignInCards({ session, name, onChanged }: SignInCardsProps) {
  const ways = useLoaded<SignInWays>('/identities')
  return (
    <>
      <ProviderCard provider={session.provider} ways={ways} />
      {session.passwords && (
        <PasswordCard name={name} hasPassword={ways.value?.has_password} onChanged={onChanged} />
      )}
      <PasskeysCard areUsable={session.passkeys} />
    </>
  )
}
