import { useEffect } from 'preact/hooks'
import type { Caller, SessionStatus } from '../../api/auth/auth-shape.js'
import { signOut } from '../auth/auth-session.js'
import { nextPage } from '../auth/next-page.js'
import { SecureOnly } from '../auth/secure-only.jsx'
import { SignInForm } from '../auth/sign-in-form.jsx'
import { useAction } from '../forms/action.js'
import { FormFoot } from '../forms/form-foot.jsx'

/** Signs somebody in, and goes back to where they were. */
export function SignInPage({ session }: { readonly session: SessionStatus }) {
  useEffect(() => {
    document.title = 'Sign in · Raay'
  }, [])
  const { caller } = session
  if (caller !== null && caller.userid !== null) return <SignedIn caller={caller} />
  return (
    <section class="card gate">
      <h1>Sign in</h1>
      <SecureOnly>
        <SignInForm session={session} onSignedIn={() => location.assign(nextPage())} />
      </SecureOnly>
      <p class="gate-more">
        <SignUpHint session={session} /> Forgot your password? Ask the operator for a recovery link.
      </p>
    </section>
  )
}

function SignUpHint({ session: { needs_admin, sign_up } }: { readonly session: SessionStatus }) {
  if (sign_up === 'open') {
    return (
      <>
        New here? <a href={`/sign-up${location.hash}`}>Create an account</a>.
      </>
    )
  }
  if (!needs_admin) return <>New here? You need an invitation: ask the operator for a link.</>
  return (
    <>
      This exchange has no admin yet: the operator creates the first one at <a href="/admin">/admin</a>.
    </>
  )
}

/** Shown to somebody who is signed in already. */
export function SignedIn({ caller }: { readonly caller: Caller }) {
  const { fault, isBusy, run } = useAction()
  return (
    <section class="card gate">
      <h1>You are signed in as {caller.userid}</h1>
      <FormFoot fault={fault}>
        <a class="button button-main" href={nextPage()}>
          Continue
        </a>
        <button
          type="button"
          class="button"
          disabled={isBusy}
          onClick={() => run(() => signOut(location.pathname))}
        >
          Sign out
        </button>
      </FormFoot>
    </section>
  )
}
