import { useSignal } from '@preact/signals'
import type { Caller, SessionStatus } from '../../api/auth/auth-shape.js'
import { useAction } from '../forms/action.js'
import { FormField } from '../forms/form-field.jsx'
import { FormFoot } from '../forms/form-foot.jsx'
import { PasswordField } from '../forms/password-field.jsx'
import { t } from '../texts/account.js'
import { callAuth } from './auth-client.js'
import { askForPasskey, canUsePasskeys } from './passkey.js'
import { ProviderButton } from './provider-button.jsx'
import { signInFault } from './sign-in-faults.js'

const FIELDS = ['name', 'password']

interface SignInFormProps {
  readonly session: SessionStatus
  /** The page to come back to from the OpenID provider. */
  readonly returnTo: string
  /** Called once the browser has its session. */
  readonly onSignedIn: (caller: Caller) => void
}

/** Signs in with the OpenID provider if there is one, with a name and a password, or with a passkey. */
export function SignInForm({ session, returnTo, onSignedIn }: SignInFormProps) {
  const form = <PasswordForm session={session} onSignedIn={onSignedIn} />
  if (session.provider === null) return form
  return (
    <>
      <ProviderButton words={t.signInWith(session.provider)} returnTo={returnTo} />
      {session.passwords ? (
        <div class="provider-other">{form}</div>
      ) : (
        <details class="provider-other">
          <summary>{t.otherSignIn}</summary>
          {form}
        </details>
      )}
    </>
  )
}

function PasswordForm({ session, onSignedIn }: Omit<SignInFormProps, 'returnTo'>) {
  const name = useSignal('')
  const password = useSignal('')
  const { fault, isBusy, refuse, run } = useAction(FIELDS, error => signInFault(error, FIELDS))
  const submit = (event: Event) => {
    event.preventDefault()
    if (name.value.trim() === '') return refuse({ field: 'name', words: t.enterUsername })
    if (password.value === '') return refuse({ field: 'password', words: t.enterPassword })
    const body = { name: name.value.trim(), password: password.value }
    return run(async () => {
      const { caller } = await callAuth<{ readonly caller: Caller }>('POST', '/login', { body })
      onSignedIn(caller)
    })
  }
  const usePasskey = () =>
    run(async () => {
      const { options } = await callAuth<PasskeyOptions>('POST', '/passkey-login/options')
      const response = await askForPasskey(options)
      const body = { response }
      const { caller } = await callAuth<{ readonly caller: Caller }>('POST', '/passkey-login', { body })
      onSignedIn(caller)
    })
  return (
    <form class="form" onSubmit={submit} noValidate>
      <FormField name="name" label={t.username} text={name} fault={fault} autocomplete="username" />
      <PasswordField
        name="password"
        label={t.password}
        text={password}
        fault={fault}
        autocomplete="current-password"
      />
      <FormFoot fault={fault}>
        {session.passkeys && canUsePasskeys && (
          <button type="button" class="button" disabled={isBusy} onClick={usePasskey}>
            {t.usePasskey}
          </button>
        )}
        <button type="submit" class="button button-main" disabled={isBusy}>
          {isBusy ? t.signingIn : t.signIn}
        </button>
      </FormFoot>
    </form>
  )
}

interface PasskeyOptions {
  readonly options: PublicKeyCredentialRequestOptionsJSON
}
