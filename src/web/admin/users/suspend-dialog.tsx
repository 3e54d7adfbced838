import { useSignal } from '@preact/signals'
import type { UserLimits } from '../../../client/client.js'
import { FormField } from '../../forms/form-field.jsx'
import { FormFoot } from '../../forms/form-foot.jsx'
import { Modal } from '../../kit/modal.jsx'
import { t as frame } from '../../texts/admin-frame.js'
import { t } from '../../texts/admin-users.js'
import { clients } from '../admin-clients.js'
import { useOperatorAction } from '../operator-action.js'

interface SuspendDialogProps {
  readonly limits: UserLimits
  readonly onEnd: () => void
}

/** Suspends a user’s trading with a reason, or resumes it. */
export function SuspendDialog({ limits: { userid, suspended }, onEnd }: SuspendDialogProps) {
  const reason = useSignal('')
  const { fault, isBusy, run } = useOperatorAction(['reason'])
  const submit = (event: Event) => {
    event.preventDefault()
    return run(async () => {
      const change = suspended ? { suspended: false } : { suspended: true, reason: reason.value.trim() }
      await clients.doing.operator.setUserLimits(userid, change)
      onEnd()
    })
  }
  return (
    <Modal class="picker" onClose={onEnd} aria-labelledby="suspend-title">
      <form class="form" onSubmit={submit} noValidate>
        <h2 id="suspend-title">{suspended ? t.resumeTitle(userid) : t.suspendTitle(userid)}</h2>
        {!suspended && (
          <>
            <p>{t.suspendText}</p>
            <FormField name="reason" label={t.reason} hint={t.reasonHint} text={reason} fault={fault} />
          </>
        )}
        <FormFoot fault={fault}>
          <button type="button" class="button" onClick={onEnd}>
            {frame.cancel}
          </button>
          <button
            type="submit"
            class={suspended ? 'button button-main' : 'button button-danger'}
            disabled={isBusy}
          >
            {suspended ? t.resume : t.suspend}
          </button>
        </FormFoot>
      </form>
    </Modal>
  )
}
