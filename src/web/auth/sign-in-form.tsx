import { useSignal } from '@preact/signals'
import type { Caller, SessionStatus } from '../../api/auth/auth-shape.js'
import { useAction } from '../forms/action.js'
import { FormField } from '../forms/form-field.jsx'
import { FormFoot } from '../forms/form-foot.jsx'
import { PasswordField } from '../forms/password-field.jsx'
import { t } from '../texts/account.js'
import { callAuth } from './auth-client.js'
import { askForPasskey, canUsePasskeys } from './passkey.js'
import { signInFault } from './sign-in-faults.js'

const FIELDS = ['name', 'password']

interface SignInFormProps {
  readonly session: SessionStatus
  /** Called once the browser has its session. */
  readonly onSignedIn: (caller: Caller) => void
}

/** Signs in with a name and a password, or with a passkey. */
export function SignInForm({ session, onSignedIn }: SignInFormProps) {
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
