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
import { setTitle } from '../kit/page-site.js'
import { t } from '../texts/account.js'
import { SignedIn } from './sign-in-page.jsx'

const FIELDS = ['name', 'password']
const back = nextPage()
const invitation = location.pathname === '/sign-up' ? takeSecret('invitation', true) : undefined

/** Creates an account, with the invitation of the link where one is needed. */
export function SignUpPage({ session }: { readonly session: SessionStatus }) {
  const { sign_up, caller, provider } = session
  useEffect(() => {
    setTitle(t.createAccount)
  }, [])
  if (caller !== null && caller.userid !== null) return <SignedIn caller={caller} />
  const isUninvited = sign_up === 'invitation' && invitation === undefined
  return (
    <section class="card gate">
      <h1>{t.createAccount}</h1>
      {provider !== null && (isUninvited || !session.passwords) ? (
        <p>{t.signUpThere(provider)}</p>
      ) : isUninvited ? (
        <p>{t.invitationNeeded}</p>
      ) : (
        <SecureOnly>
          <SignUpForm />
        </SecureOnly>
      )}
      <div class="gate-more">
        <p>
          {t.haveAccount} <a href="/sign-in">{t.signIn}</a>
        </p>
      </div>
    </section>
  )
}

function SignUpForm() {
  const name = useSignal('')
  const password = useSignal('')
  const { fault, isBusy, refuse, run } = useAction(FIELDS, error => signInFault(error, FIELDS))
  const submit = (event: Event) => {
    event.preventDefault()
    if (name.value.trim() === '') return refuse({ field: 'name', words: t.userNameMissing })
    const body = { name: name.value.trim(), password: password.value, invitation }
    return run(async () => {
      await callAuth('POST', '/sign-up', { body })
      location.assign(back)
    })
  }
  return (
    <form class="form" onSubmit={submit} noValidate>
      {invitation !== undefined && <p class="soft">{t.invited}</p>}
      <FormField
        name="name"
        label={t.username}
        hint={t.usernameHint}
        text={name}
        fault={fault}
        autocomplete="username"
      />
      <PasswordField
        name="password"
        label={t.password}
        hint={t.newPasswordHint}
        text={password}
        fault={fault}
        autocomplete="new-password"
      />
      <FormFoot fault={fault}>
        <button type="submit" class="button button-main" disabled={isBusy}>
          {isBusy ? t.creating : t.createIt}
        </button>
      </FormFoot>
    </form>
  )
}
