import type { ListedComment } from '../../../client/shapes.js'
import { ConfirmDialog } from '../../forms/confirm-dialog.jsx'
import { t as frame } from '../../texts/admin-frame.js'
import { t as all } from '../../texts/admin-users.js'
import { clients } from '../admin-clients.js'
import { useOperatorAction } from '../operator-action.js'

const t = all.moderation

interface DeleteDialogProps {
  readonly comment: ListedComment
  /** Called with what was done; with an empty text if nothing was. */
  readonly onEnd: (words: string) => void
}

/** Deletes a comment once confirmed. */
export function DeleteDialog({ comment: { id, userid, text }, onEnd }: DeleteDialogProps) {
  const { fault, isBusy, run } = useOperatorAction()
  const remove = () =>
    run(async () => {
      await clients.doing.site.removeComment(id)
      onEnd(t.deletedDone(userid))
    })
  return (
    <ConfirmDialog
      title={t.deleteTitle(userid)}
      doIt={t.delete}
      leaveIt={frame.cancel}
      errorMessage={fault?.words ?? ''}
      isBusy={isBusy}
      onDo={remove}
      onLeave={() => onEnd('')}
    >
      <p class="moderated moderated-quote" dir="auto">
        {text}
      </p>
      <p>{t.deleteText}</p>
    </ConfirmDialog>
  )
}
