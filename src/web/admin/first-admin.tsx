import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { callAuth } from '../auth/auth-client.js'
import { signInFault } from '../auth/sign-in-faults.js'
import { useAction } from '../forms/action.js'
import { FormField } from '../forms/form-field.jsx'
import { FormFoot } from '../forms/form-foot.jsx'
import { PasswordField } from '../forms/password-field.jsx'
import { checkAgain } from './check-access.js'

const FIELDS = ['name', 'password']

/** Creates the first admin and signs in as it. */
export function FirstAdmin() {
  const name = useSignal('')
  const password = useSignal('')
  const { fault, isBusy, refuse, run } = useAction(FIELDS, error => signInFault(error, FIELDS))
  useEffect(() => {
    document.title = 'First admin · Raay admin'
  }, [])
  const submit = (event: Event) => {
    event.preventDefault()
    const account = { name: name.value.trim(), password: password.value }
    if (account.name === '') return refuse({ field: 'name', words: 'Enter a username.' })
    return run(async () => {
      await callAuth('POST', '/users', { body: { ...account, role: 'admin' } })
      await callAuth('POST', '/login', { body: account })
      checkAgain()
    })
  }
  return (
    <section class="card gate">
      <h1>Create the first admin</h1>
      <p class="soft">
        Admins run this exchange and manage its accounts: they invite people, give them roles and help those
        who forgot their password. This account can trade, too.
      </p>
      <form class="form" onSubmit={submit} noValidate>
        <FormField name="name" label="Username" text={name} fault={fault} autocomplete="username" />
        <PasswordField
          name="password"
          label="Password"
          hint="At least 10 characters. A sentence is easy to remember."
          text={password}
          fault={fault}
          autocomplete="new-password"
        />
        <FormFoot fault={fault}>
          <button
            type="button"
            class="button"
            disabled={isBusy}
            onClick={() => checkAgain({ withoutAdmin: true })}
          >
            Not now
          </button>
          <button type="submit" class="button button-main" disabled={isBusy}>
            {isBusy ? 'Creating…' : 'Create admin'}
          </button>
        </FormFoot>
      </form>
    </section>
  )
}
