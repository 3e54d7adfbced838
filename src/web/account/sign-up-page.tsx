import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { SessionStatus } from '../../api/auth/auth-shape.js'
import { callAuth } from '../auth/auth-client.js'
import { takeSecret } from '../auth/fragment-secret.js'
import { nextPage } from '../auth/next-page.js'
import { SecureOnly } from '../auth/secure-only.jsx'
import { signInFault } from '../auth/sign-in-faults.js'
import { useAction } from '../forms/action.js'
import { FormField } from '../forms/form-field.jsx'
import { FormFoot } from '../forms/form-foot.jsx'
import { PasswordField } from '../forms/password-field.jsx'
import { SignedIn } from './sign-in-page.jsx'

const FIELDS = ['name', 'password']
const back = nextPage()
const invitation = location.pathname === '/sign-up' ? takeSecret('invitation', true) : undefined

/** Creates an account, with the invitation of the link where one is needed. */
export function SignUpPage({ session: { sign_up, caller } }: { readonly session: SessionStatus }) {
  useEffect(() => {
    document.title = 'Create an account · Raay'
  }, [])
  if (caller !== null && caller.userid !== null) return <SignedIn caller={caller} />
  const isUninvited = sign_up === 'invitation' && invitation === undefined
  return (
    <section class="card gate">
      <h1>Create an account</h1>
      {isUninvited ? (
        <p>New accounts need an invitation. Ask the operator for a link, and open it here.</p>
      ) : (
        <SecureOnly>
          <SignUpForm />
        </SecureOnly>
      )}
      <p class="gate-more">
        Have an account? <a href="/sign-in">Sign in</a>.
      </p>
    </section>
  )
}

function SignUpForm() {
  const name = useSignal('')
  const password = useSignal('')
  const { fault, isBusy, refuse, run } = useAction(FIELDS, error => signInFault(error, FIELDS))
  const submit = (event: Event) => {
    event.preventDefault()
    if (name.value.trim() === '') return refuse({ field: 'name', words: 'Enter a username.' })
    const body = { name: name.value.trim(), password: password.value, invitation }
    return run(async () => {
      await callAuth('POST', '/sign-up', { body })
      location.assign(back)
    })
  }
  return (
    <form class="form" onSubmit={submit} noValidate>
      {invitation !== undefined && <p class="soft">You are invited. Choose a username and a password.</p>}
      <FormField
        name="name"
        label="Username"
        hint="You sign in and trade with it: 2 to 32 letters and digits."
        text={name}
        fault={fault}
        autocomplete="username"
      />
      <PasswordField
        name="password"
        label="Password"
        hint="At least 10 characters. A sentence is easy to remember."
        text={password}
        fault={fault}
        autocomplete="new-password"
      />
      <FormFoot fault={fault}>
        <button type="submit" class="button button-main" disabled={isBusy}>
          {isBusy ? 'Creating…' : 'Create account'}
        </button>
      </FormFoot>
    </form>
  )
}
