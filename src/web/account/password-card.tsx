import { useSignal } from '@preact/signals'
import type { PasswordReplaced } from '../../api/auth/auth-shape.js'
import type { RaayError } from '../../client/raay-error.js'
import { callAuth } from '../auth/auth-client.js'
import { signInFault } from '../auth/sign-in-faults.js'
import { useAction } from '../forms/action.js'
import type { FieldFault } from '../forms/field-faults.js'
import { FormFoot } from '../forms/form-foot.jsx'
import { PasswordField } from '../forms/password-field.jsx'
import { t } from '../texts/account.js'
import { AfterPassword } from './after-password.jsx'
import { EndKeysTick } from './end-keys-tick.jsx'

interface PasswordCardProps {
  readonly name: string
  /** Undefined until it is known. */
  readonly hasPassword: boolean | undefined
  /** Called once sessions or keys may have ended. */
  readonly onChanged: () => void
}

/** Changes the password of an account that has one. */
export function PasswordCard({ name, hasPassword, onChanged }: PasswordCardProps) {
  const isOpen = useSignal(false)
  const done = useSignal<PasswordReplaced | undefined>(undefined)
  const hint = hasPassword === false ? t.noPassword : t.passwordHint
  return (
    <section class="card" aria-labelledby="password-title">
      <div class="card-head">
        <h2 id="password-title">{t.password}</h2>
        {hasPassword === true && !isOpen.value && (
          <button
            type="button"
            class="button button-small"
            onClick={() => {
              done.value = undefined
              isOpen.value = true
            }}
          >
            {t.changePassword}
          </button>
        )}
      </div>
      <div class="card-body">
        <p class={done.value === undefined ? 'faint' : 'gain'} role="status">
          {done.value === undefined ? hint : t.passwordChangedAnd(done.value.sessions_ended)}
        </p>
        {done.value !== undefined && (
          <AfterPassword name={name} replaced={done.value} onRevoked={onChanged} />
        )}
        {isOpen.value && (
          <PasswordForm
            name={name}
            onEnd={replaced => {
              done.value = replaced
              isOpen.value = false
              if (replaced !== undefined) onChanged()
            }}
          />
        )}
      </div>
    </section>
  )
}

interface PasswordFormProps {
  readonly name: string
  /** Called with what was done; undefined if nothing was. */
  readonly onEnd: (done: PasswordReplaced | undefined) => void
}

function PasswordForm({ name, onEnd }: PasswordFormProps) {
  const current = useSignal('')
  const password = useSignal('')
  const endsKeys = useSignal(false)
  const { fault, isBusy, run } = useAction(['current', 'password'], passwordFault)
  const submit = (event: Event) => {
    event.preventDefault()
    const body = { current: current.value, password: password.value, end_keys: endsKeys.value }
    return run(async () => onEnd(await callAuth<PasswordReplaced>('POST', '/password', { body })))
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
      <EndKeysTick isChosen={endsKeys} />
      <FormFoot fault={fault}>
        <button type="submit" class="button button-main" disabled={isBusy}>
          {isBusy ? t.saving : t.savePassword}
        </button>
        <button type="button" class="button" onClick={() => onEnd(undefined)}>
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
