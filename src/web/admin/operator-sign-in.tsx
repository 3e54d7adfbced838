import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { RaayError } from '../../client/client.js'
import { callAuth } from '../auth/auth-client.js'
import { authSession } from '../auth/auth-session.js'
import { SecureOnly } from '../auth/secure-only.jsx'
import { signInFault } from '../auth/sign-in-faults.js'
import { SignInForm } from '../auth/sign-in-form.jsx'
import { useAction } from '../forms/action.js'
import type { FieldFault } from '../forms/field-faults.js'
import { FormFoot } from '../forms/form-foot.jsx'
import { PasswordField } from '../forms/password-field.jsx'
import { Choice } from '../kit/choice.jsx'
import { checkAgain, linkFault } from './check-access.js'

type Way = 'account' | 'key'

/** Signs an operator in: with an account where there are some, or with the operator’s key. */
export function OperatorSignIn() {
  const session = authSession.value
  const hasAccounts = session?.mode === 'accounts' && !session.needs_admin
  const way = useSignal<Way>(hasAccounts ? 'account' : 'key')
  useEffect(() => {
    document.title = 'Sign in · Raay admin'
  }, [])
  return (
    <section class="card gate">
      <h1>Operator sign-in</h1>
      {linkFault.value !== '' && (
        <p class="fault" role="alert">
          {linkFault.value}
        </p>
      )}
      <SecureOnly>
        {hasAccounts && (
          <Choice
            name="way"
            legend="Sign in with"
            value={way}
            options={[
              ['account', 'Account'],
              ['key', 'Operator’s key'],
            ]}
          />
        )}
        {session !== undefined && way.value === 'account' ? (
          <SignInForm session={session} onSignedIn={() => checkAgain()} />
        ) : (
          <KeyForm />
        )}
      </SecureOnly>
    </section>
  )
}

function KeyForm() {
  const key = useSignal('')
  const { fault, isBusy, refuse, run } = useAction(['key'], keyFault)
  const submit = (event: Event) => {
    event.preventDefault()
    const token = key.value.trim()
    if (!/^[\x21-\x7e]+$/.test(token)) return refuse(wrongKey())
    return run(async () => {
      await callAuth('POST', '/operator', { headers: { Authorization: `Bearer ${token}` } })
      checkAgain()
    })
  }
  return (
    <>
      <p class="soft">
        On the machine of the exchange, <code>raay admin link</code> prints a link that signs you in. Or enter
        the key in the file <code>operator.key</code> of its data directory, or the token that it was started
        with. It is sent only to this exchange, and not kept.
      </p>
      <form onSubmit={submit} class="form" noValidate>
        <PasswordField name="key" label="Operator’s key" text={key} fault={fault} autocomplete="off" />
        <FormFoot fault={fault}>
          <button type="submit" class="button button-main" disabled={isBusy}>
            {isBusy ? 'Signing in…' : 'Sign in'}
          </button>
        </FormFoot>
      </form>
    </>
  )
}

function keyFault(error: RaayError): FieldFault {
  return error.code === 401 || error.reason === 'operator_only' ? wrongKey() : signInFault(error, ['key'])
}

function wrongKey(): FieldFault {
  return { field: 'key', words: 'Wrong key. Copy the whole key, without spaces.' }
}
