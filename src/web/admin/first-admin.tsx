import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { callAuth } from '../auth/auth-client.js'
import { signInFault } from '../auth/sign-in-faults.js'
import { useAction } from '../forms/action.js'
import { FormField } from '../forms/form-field.jsx'
import { FormFoot } from '../forms/form-foot.jsx'
import { PasswordField } from '../forms/password-field.jsx'
import { siteName } from '../kit/page-site.js'
import { t as texts } from '../texts/account.js'
import { t } from '../texts/admin-frame.js'
import { checkAgain } from './check-access.js'

const FIELDS = ['name', 'password']

/** Creates the first admin and signs in as it. */
export function FirstAdmin() {
  const name = useSignal('')
  const password = useSignal('')
  const { fault, isBusy, refuse, run } = useAction(FIELDS, error => signInFault(error, FIELDS))
  useEffect(() => {
    document.title = t.title(t.firstAdmin, siteName)
  }, [])
  const submit = (event: Event) => {
    event.preventDefault()
    const account = { name: name.value.trim(), password: password.value }
    if (account.name === '') return refuse({ field: 'name', words: texts.userNameMissing })
    return run(async () => {
      await callAuth('POST', '/users', { body: { ...account, role: 'admin' } })
      await callAuth('POST', '/login', { body: account })
      checkAgain()
    })
  }
  return (
    <section class="card gate">
      <h1>{t.createFirstAdmin}</h1>
      <p class="soft">{t.adminsRun}</p>
      <form class="form" onSubmit={submit} noValidate>
        <FormField name="name" label={texts.username} text={name} fault={fault} autocomplete="username" />
        <PasswordField
          name="password"
          label={texts.password}
          hint={texts.newPasswordHint}
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
            {t.notNow}
          </button>
          <button type="submit" class="button button-main" disabled={isBusy}>
            {isBusy ? texts.creating : t.createAdmin}
          </button>
        </FormFoot>
      </form>
    </section>
  )
}
