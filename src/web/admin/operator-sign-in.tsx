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
import { siteName } from '../kit/page-site.js'
import { t as texts } from '../texts/account.js'
import { t } from '../texts/admin-frame.js'
import { checkAgain, linkFault } from './check-access.js'

type Way = 'account' | 'key'

/** Signs an operator in: with an account where there are some, or with the operator’s key. */
export function OperatorSignIn() {
  const session = authSession.value
  // A claim of the provider can make the first admin.
  const hasAccounts = session?.mode === 'accounts' && (!session.needs_admin || session.provider !== null)
  const way = useSignal<Way>(hasAccounts ? 'account' : 'key')
  useEffect(() => {
    document.title = t.title(t.signIn, siteName)
  }, [])
  return (
    <section class="card gate">
      <h1>{t.operatorSignIn}</h1>
      {linkFault.value !== '' && (
        <p class="fault" role="alert">
          {linkFault.value}
        </p>
      )}
      <SecureOnly>
        {hasAccounts && (
          <Choice
            name="way"
            legend={t.signInWith}
            value={way}
            options={[
              ['account', t.account],
              ['key', t.operatorsKey],
            ]}
          />
        )}
        {session !== undefined && way.value === 'account' ? (
          <SignInForm
            session={session}
            returnTo={location.pathname + location.search}
            onSignedIn={() => checkAgain()}
          />
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
        {t.keyLink} <code>raay admin link</code>. {t.keyFile}
      </p>
      <form onSubmit={submit} class="form" noValidate>
        <PasswordField name="key" label={t.operatorsKey} text={key} fault={fault} autocomplete="off" />
        <FormFoot fault={fault}>
          <button type="submit" class="button button-main" disabled={isBusy}>
            {isBusy ? texts.signingIn : t.signIn}
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
  return { field: 'key', words: t.wrongKey }
}
