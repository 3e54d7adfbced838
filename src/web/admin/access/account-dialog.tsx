import { useSignal } from '@preact/signals'
import type { Account } from '../../../api/auth/auth-shape.js'
import { callAuth } from '../../auth/auth-client.js'
import { signInFault } from '../../auth/sign-in-faults.js'
import { FormFoot } from '../../forms/form-foot.jsx'
import { Modal } from '../../kit/modal.jsx'
import { t } from '../../texts/admin-access.js'
import { useOperatorAction } from '../operator-action.js'
import { LinkOnce } from './invite-dialog.jsx'
import { RoleChoice } from './role-choice.jsx'

interface AccountDialogProps {
  readonly account: Account
  readonly onEnd: () => void
}

/** Changes the role of an account, disables it, or makes a recovery link. */
export function AccountDialog({ account, onEnd }: AccountDialogProps) {
  const role = useSignal(account.role)
  const link = useSignal<{ readonly url: string; readonly expires_at: string } | undefined>(undefined)
  const { fault, isBusy, run } = useOperatorAction([], error => signInFault(error, []))
  const path = `/users/${encodeURIComponent(account.name)}`
  const change = (act: 'role' | 'disable' | 'enable', body: object = {}) =>
    run(async () => {
      await callAuth('POST', `${path}/${act}`, { body })
      onEnd()
    })
  const recover = () =>
    run(async () => {
      link.value = await callAuth('POST', `${path}/recovery`, { body: {} })
    })
  return (
    <Modal class="picker" onClose={onEnd} aria-labelledby="account-title">
      <div class="form">
        <h2 id="account-title">{account.name}</h2>
        <RoleChoice role={role} />
        <div class="picker-foot">
          <button
            type="button"
            class="button"
            disabled={isBusy || role.value === account.role}
            onClick={() => void change('role', { role: role.value })}
          >
            {t.changeRole}
          </button>
        </div>
        {link.value === undefined ? (
          <Measures
            isDisabled={account.disabled}
            isBusy={isBusy}
            onRecover={() => void recover()}
            onTurn={() => void change(account.disabled ? 'enable' : 'disable')}
          />
        ) : (
          <LinkOnce label={t.recoveryLink} link={link.value} />
        )}
        <FormFoot fault={fault}>
          <button type="button" class="button button-main" onClick={onEnd}>
            {t.done}
          </button>
        </FormFoot>
      </div>
    </Modal>
  )
}

interface MeasuresProps {
  readonly isDisabled: boolean
  readonly isBusy: boolean
  readonly onRecover: () => void
  /** Disables the account, or enables it again. */
  readonly onTurn: () => void
}

function Measures({ isDisabled, isBusy, onRecover, onTurn }: MeasuresProps) {
  return (
    <>
      <p class="note">{t.measures}</p>
      <div class="picker-foot">
        <button type="button" class="button" disabled={isBusy || isDisabled} onClick={onRecover}>
          {t.recoveryLink}
        </button>
        <button
          type="button"
          class={isDisabled ? 'button' : 'button button-danger-quiet'}
          disabled={isBusy}
          onClick={onTurn}
        >
          {isDisabled ? t.enable : t.disable}
        </button>
      </div>
    </>
  )
}
