import { useSignal } from '@preact/signals'
import type { ListedComment } from '../../../client/shapes.js'
import { FormField } from '../../forms/form-field.jsx'
import { Modal } from '../../kit/modal.jsx'
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
  const { fault, isBusy, run, refuse } = useOperatorAction(['reason'])
  const submit = (event: Event) => {
    event.preventDefault()
    if (reason.value.trim() === '') return refuse({ field: 'reason', words: t.enterReason })
    return run(async () => {
      await clients.doing.site.hideComment(event_id, id, reason.value.trim())
      onEnd(t.hiddenDone(userid))
    })
  }
  return (
    <Modal class="picker" onClose={() => onEnd('')} aria-labelledby="hide-title">
      <form class="form" onSubmit={submit} noValidate>
        <h2 id="hide-title">{t.hideTitle(userid)}</h2>
        <p class="moderated moderated-quote" dir="auto">
          {text}
        </p>
        <FormField name="reason" label={t.reason} hint={t.reasonHint} text={reason} fault={fault} />
        <p class="fault" role="alert">
          {fault?.field === undefined && fault?.words}
        </p>
        <div class="picker-foot">
          <button type="button" class="button" onClick={() => onEnd('')}>
            {frame.cancel}
          </button>
          <button type="submit" class="button button-danger" disabled={isBusy}>
            {t.hide}
          </button>
        </div>
      </form>
    </Modal>
  )
}
