import { useSignal } from '@preact/signals'
import type { UserLimits } from '../../../client/client.js'
import { FormDialog } from '../../forms/form-dialog.jsx'
import { FormField } from '../../forms/form-field.jsx'
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
  const action = useOperatorAction(['reason'])
  const submit = () =>
    action.run(async () => {
      const change = suspended ? { suspended: false } : { suspended: true, reason: reason.value.trim() }
      await clients.doing.operator.setUserLimits(userid, change)
      onEnd()
    })
  return (
    <FormDialog
      id="suspend"
      title={suspended ? t.resumeTitle(userid) : t.suspendTitle(userid)}
      action={action}
      doIt={suspended ? t.resume : t.suspend}
      leaveIt={frame.cancel}
      isDangerous={!suspended}
      onSubmit={submit}
      onLeave={onEnd}
    >
      {!suspended && (
        <>
          <p>{t.suspendText}</p>
          <FormField name="reason" label={t.reason} hint={t.reasonHint} text={reason} fault={action.fault} />
        </>
      )}
    </FormDialog>
  )
}
