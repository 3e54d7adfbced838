import { useEffect } from 'preact/hooks'
import type { Caller, SessionStatus } from '../../api/auth/auth-shape.js'
import { signOut } from '../auth/auth-session.js'
import { nextPage } from '../auth/next-page.js'
import { SecureOnly } from '../auth/secure-only.jsx'
import { SignInForm } from '../auth/sign-in-form.jsx'
import { useAction } from '../forms/action.js'
import { FormFoot } from '../forms/form-foot.jsx'
import { setTitle } from '../kit/page-site.js'
import { t } from '../texts/account.js'

/** Signs a user in, and returns to the page they came from. */
export function SignInPage({ session }: { readonly session: SessionStatus }) {
  useEffect(() => {
    setTitle(t.signIn)
  }, [])
  const { caller } = session
  if (caller !== null && caller.userid !== null) return <SignedIn caller={caller} />
  return (
    <section class="card gate">
      <h1>{t.signIn}</h1>
      <SecureOnly>
        <SignInForm session={session} returnTo={nextPage()} onSignedIn={() => location.assign(nextPage())} />
      </SecureOnly>
      {session.passwords && (
        <div class="gate-more">
          <p>
            <SignUpHint session={session} />
          </p>
          <p>{t.forgot}</p>
        </div>
      )}
    </section>
  )
}

function SignUpHint({ session: { needs_admin, sign_up, provider } }: { readonly session: SessionStatus }) {
  if (sign_up === 'open') {
    return (
      <>
        {t.newHere} <a href={`/sign-up${location.hash}`}>{t.createAccount}</a>
      </>
    )
  }
  if (provider !== null) return null
  if (!needs_admin) return `${t.newHere} ${t.needInvitation}`
  return (
    <>
      {t.noAdminYet} <a href="/admin">/admin</a>
    </>
  )
}

/** Shown to users who are signed in already. */
export function SignedIn({ caller }: { readonly caller: Caller }) {
  const { fault, isBusy, run } = useAction()
  return (
    <section class="card gate">
      <h1>{t.signedInAs(caller.userid)}</h1>
      <FormFoot fault={fault}>
        <a class="button button-main" href={nextPage()}>
          {t.continue}
        </a>
        <button
          type="button"
          class="button"
          disabled={isBusy}
          onClick={() => run(() => signOut(location.pathname))}
        >
          {t.signOut}
        </button>
      </FormFoot>
    </section>
  )
}
