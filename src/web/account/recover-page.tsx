import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Caller, PasswordReplaced } from '../../api/auth/auth-shape.js'
import { callAuth } from '../auth/auth-client.js'
import { takeSecret } from '../auth/fragment-secret.js'
import { SecureOnly } from '../auth/secure-only.jsx'
import { signInFault } from '../auth/sign-in-faults.js'
import { useAction } from '../forms/action.js'
import { FormFoot } from '../forms/form-foot.jsx'
import { PasswordField } from '../forms/password-field.jsx'
import { setTitle } from '../kit/page-site.js'
import { t } from '../texts/account.js'
import { AfterPassword } from './after-password.jsx'
import { EndKeysTick } from './end-keys-tick.jsx'

const FIELDS = ['password']
const token = location.pathname === '/recover' ? takeSecret('token', true) : undefined

interface Recovered extends PasswordReplaced {
  readonly caller: Caller
}

/** Sets a new password with the link of an operator. */
export function RecoverPage() {
  const recovered = useSignal<Recovered | undefined>(undefined)
  useEffect(() => {
    setTitle(t.newPassword)
  }, [])
  if (recovered.value !== undefined) return <Done recovered={recovered.value} />
  return (
    <section class="card gate">
      <h1>{t.choosePassword}</h1>
      {token === undefined ? (
        <p>
          {t.openRecovery} <a href="/sign-in">{t.signIn}</a>
        </p>
      ) : (
        <SecureOnly>
          <RecoverForm
            token={token}
            onDone={found => {
              recovered.value = found
            }}
          />
        </SecureOnly>
      )}
    </section>
  )
}

interface RecoverFormProps {
  readonly token: string
  readonly onDone: (recovered: Recovered) => void
}

function RecoverForm({ token, onDone }: RecoverFormProps) {
  const password = useSignal('')
  const endsKeys = useSignal(false)
  const { fault, isBusy, run } = useAction(FIELDS, error => signInFault(error, FIELDS))
  const submit = (event: Event) => {
    event.preventDefault()
    return run(async () => {
      const body = { token, password: password.value, end_keys: endsKeys.value }
      onDone(await callAuth<Recovered>('POST', '/recover', { body }))
      history.replaceState(null, '', location.pathname)
    })
  }
  return (
    <form class="form" onSubmit={submit} noValidate>
      <PasswordField
        name="password"
        label={t.newPassword}
        hint={t.recoverHint}
        text={password}
        fault={fault}
        autocomplete="new-password"
      />
      <EndKeysTick isChosen={endsKeys} />
      <FormFoot fault={fault}>
        <button type="submit" class="button button-main" disabled={isBusy}>
          {isBusy ? t.saving : t.savePassword}
        </button>
      </FormFoot>
    </form>
  )
}

function Done({ recovered }: { readonly recovered: Recovered }) {
  const { caller, keys, passkeys } = recovered
  const name = caller.userid ?? ''
  const hasMore = keys.length + passkeys > 0
  return (
    <section class="card gate" role="status">
      <h1>{t.passwordChanged}</h1>
      <p>{t.signedInOthersEnded(name)}</p>
      <AfterPassword name={name} replaced={recovered} />
      <p>
        <a class="button button-main" href={hasMore ? '/account' : '/'}>
          {hasMore ? t.reviewAccount : t.toMarkets}
        </a>
      </p>
    </section>
  )
}
