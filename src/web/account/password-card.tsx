import { useSignal } from '@preact/signals'
import type { RaayError } from '../../client/raay-error.js'
import { callAuth } from '../auth/auth-client.js'
import { signInFault } from '../auth/sign-in-faults.js'
import { useAction } from '../forms/action.js'
import type { FieldFault } from '../forms/field-faults.js'
import { FormFoot } from '../forms/form-foot.jsx'
import { PasswordField } from '../forms/password-field.jsx'
import { t } from '../texts/account.js'

/** Changes the password. */
export function PasswordCard({ name }: { readonly name: string }) {
  const isOpen = useSignal(false)
  const done = useSignal('')
  return (
    <section class="card" aria-labelledby="password-title">
      <div class="card-head">
        <h2 id="password-title">{t.password}</h2>
        {!isOpen.value && (
          <button
            type="button"
            class="button button-small"
            onClick={() => {
              done.value = ''
              isOpen.value = true
            }}
          >
            {t.changePassword}
          </button>
        )}
      </div>
      <div class="card-body">
        <p class={done.value === '' ? 'faint' : 'gain'} role="status">
          {done.value === '' ? t.passwordHint : done.value}
        </p>
        {isOpen.value && (
          <PasswordForm
            name={name}
            onEnd={words => {
              done.value = words
              isOpen.value = false
            }}
          />
        )}
      </div>
    </section>
  )
}

interface PasswordFormProps {
  readonly name: string
  /** Called with what was done; empty if nothing was. */
  readonly onEnd: (done: string) => void
}

function PasswordForm({ name, onEnd }: PasswordFormProps) {
  const current = useSignal('')
  const password = useSignal('')
  const { fault, isBusy, run } = useAction(['current', 'password'], passwordFault)
  const submit = (event: Event) => {
    event.preventDefault()
    const body = { current: current.value, password: password.value }
    return run(async () => {
      const { sessions_ended: ended } = await callAuth<{ readonly sessions_ended: number }>(
        'POST',
        '/password',
        {
          body,
        },
      )
      onEnd(t.passwordChangedAnd(ended))
    })
  }
  return (
    <form class="form" onSubmit={submit} noValidate>
      {/* Password managers save the new password under this name. */}
      <input
        type="text"
        class="unseen"
        tabIndex={-1}
        aria-hidden="true"
        readOnly
        autocomplete="username"
        value={name}
      />
      <PasswordField
        name="current"
        label={t.currentPassword}
        text={current}
        fault={fault}
        autocomplete="current-password"
      />
      <PasswordField
        name="password"
        label={t.newPassword}
        hint={t.atLeast10}
        text={password}
        fault={fault}
        autocomplete="new-password"
      />
      <FormFoot fault={fault}>
        <button type="submit" class="button button-main" disabled={isBusy}>
          {isBusy ? t.saving : t.savePassword}
        </button>
        <button type="button" class="button" onClick={() => onEnd('')}>
          {t.cancel}
        </button>
      </FormFoot>
    </form>
  )
}

function passwordFault(error: RaayError): FieldFault {
  if (error.reason === 'sign_in_failed') return { field: 'current', words: t.wrongPassword }
  return signInFault(error, ['current', 'password'])
}
