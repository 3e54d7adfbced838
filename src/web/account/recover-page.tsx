import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Caller } from '../../api/auth/auth-shape.js'
import { callAuth } from '../auth/auth-client.js'
import { takeSecret } from '../auth/fragment-secret.js'
import { SecureOnly } from '../auth/secure-only.jsx'
import { signInFault } from '../auth/sign-in-faults.js'
import { useAction } from '../forms/action.js'
import { FormFoot } from '../forms/form-foot.jsx'
import { PasswordField } from '../forms/password-field.jsx'

const FIELDS = ['password']
const token = location.pathname === '/recover' ? takeSecret('token', true) : undefined

interface Recovered {
  readonly caller: Caller
  readonly sessions_ended: number
  readonly keys: number
  readonly passkeys: number
}

/** Sets a new password with the link of an operator. */
export function RecoverPage() {
  const recovered = useSignal<Recovered | undefined>(undefined)
  useEffect(() => {
    document.title = 'New password · Raay'
  }, [])
  if (recovered.value !== undefined) return <Done recovered={recovered.value} />
  return (
    <section class="card gate">
      <h1>Choose a new password</h1>
      {token === undefined ? (
        <p>Open the recovery link that the operator sent you. It works once.</p>
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
  const { fault, isBusy, run } = useAction(FIELDS, error => signInFault(error, FIELDS))
  const submit = (event: Event) => {
    event.preventDefault()
    return run(async () => {
      onDone(await callAuth<Recovered>('POST', '/recover', { body: { token, password: password.value } }))
      history.replaceState(null, '', location.pathname)
    })
  }
  return (
    <form class="form" onSubmit={submit} noValidate>
      <PasswordField
        name="password"
        label="New password"
        hint="At least 10 characters. All your sessions end."
        text={password}
        fault={fault}
        autocomplete="new-password"
      />
      <FormFoot fault={fault}>
        <button type="submit" class="button button-main" disabled={isBusy}>
          {isBusy ? 'Saving…' : 'Save password'}
        </button>
      </FormFoot>
    </form>
  )
}

function Done({ recovered: { caller, keys, passkeys } }: { readonly recovered: Recovered }) {
  const left = [counted(keys, 'API key'), counted(passkeys, 'passkey')].filter(words => words !== '')
  return (
    <section class="card gate" role="status">
      <h1>Your password is changed</h1>
      <p>
        You are signed in as <b>{caller.userid}</b>; all other sessions have ended.{' '}
        {left.length > 0 && `The account still has ${left.join(' and ')}: revoke what is not yours.`}
      </p>
      <p>
        <a class="button button-main" href={left.length > 0 ? '/account' : '/'}>
          {left.length > 0 ? 'Review the account' : 'Go to the markets'}
        </a>
      </p>
    </section>
  )
}

function counted(count: number, thing: string): string {
  if (count === 0) return ''
  return count === 1 ? `1 ${thing}` : `${count} ${thing}s`
}
