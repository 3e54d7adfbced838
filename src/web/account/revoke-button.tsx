import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { callAuth } from '../auth/auth-client.js'
import { useAction } from '../forms/action.js'
import { ConfirmDialog } from '../forms/confirm-dialog.jsx'
import { t } from '../texts/account.js'
import { checkSession } from './loaded.js'

interface RevokeButtonProps {
  /** The path below `/auth` to delete. */
  readonly path: string
  /** The word on the button. */
  readonly word: string
  /** Names the action with its thing, for the dialog and for screen readers. */
  readonly action: string
  /** Describes the consequences. */
  readonly children: ComponentChildren
  readonly onDone: () => void
}

/** Revokes or removes one of one’s credentials, after a confirmation. */
export function RevokeButton({ path, word, action, children, onDone }: RevokeButtonProps) {
  const isOpen = useSignal(false)
  const { fault, isBusy, forget, run } = useAction([], undefined, checkSession)
  const close = () => {
    isOpen.value = false
  }
  const revoke = () =>
    run(async () => {
      await callAuth('DELETE', path)
      close()
      onDone()
    })
  return (
    <>
      <button
        type="button"
        class="button button-small"
        aria-label={action}
        onClick={() => {
          forget()
          isOpen.value = true
        }}
      >
        {word}
      </button>
      {isOpen.value && (
        <ConfirmDialog
          title={t.question(action)}
          doIt={word}
          leaveIt={t.cancel}
          errorMessage={fault?.words ?? ''}
          isBusy={isBusy}
          onDo={() => void revoke()}
          onLeave={close}
        >
          {children}
        </ConfirmDialog>
      )}
    </>
  )
}
