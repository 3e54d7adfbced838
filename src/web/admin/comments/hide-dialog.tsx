import { useSignal } from '@preact/signals'
import type { ListedComment } from '../../../client/shapes.js'
import { FormDialog } from '../../forms/form-dialog.jsx'
import { FormField } from '../../forms/form-field.jsx'
import { t as frame } from '../../texts/admin-frame.js'
import { t as all } from '../../texts/admin-users.js'
import { clients } from '../admin-clients.js'
import { useOperatorAction } from '../operator-action.js'

const t = all.moderation

interface HideDialogProps {
  readonly comment: ListedComment
  /** Called with what was done; with an empty text if nothing was. */
  readonly onEnd: (words: string) => void
}

/** Hides a comment with a reason. */
export function HideDialog({ comment: { event_id, id, userid, text }, onEnd }: HideDialogProps) {
  const reason = useSignal('')
  const action = useOperatorAction(['reason'])
  const submit = () => {
    if (reason.value.trim() === '') return action.refuse({ field: 'reason', words: t.enterReason })
    return action.run(async () => {
      await clients.doing.site.hideComment(event_id, id, reason.value.trim())
      onEnd(t.hiddenDone(userid))
    })
  }
  return (
    <FormDialog
      {...{ id: 'hide', title: t.hideTitle(userid), action, doIt: t.hide, leaveIt: frame.cancel }}
      isDangerous
      onSubmit={submit}
      onLeave={() => onEnd('')}
    >
      <p class="moderated moderated-quote" dir="auto">
        {text}
      </p>
      <FormField name="reason" label={t.reason} hint={t.reasonHint} text={reason} fault={action.fault} />
    </FormDialog>
  )
}
