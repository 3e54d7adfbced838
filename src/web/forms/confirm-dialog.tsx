import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { Modal } from '../kit/modal.jsx'

interface ConfirmDialogProps {
  readonly title: string
  /** Describes the consequences. */
  readonly children: ComponentChildren
  /** The label of a box to tick first, for what cannot be undone. */
  readonly understood?: string
  readonly doIt: string
  readonly leaveIt: string
  readonly errorMessage: string
  readonly isBusy: boolean
  readonly onDo: () => void
  readonly onLeave: () => void
}

/** Asks for confirmation; Cancel has the focus. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, children, understood, doIt, leaveIt, errorMessage, isBusy, onDo, onLeave } = props
  const isUnderstood = useSignal(understood === undefined)
  return (
    <Modal class="picker" onClose={onLeave} aria-labelledby="confirm-title">
      <div class="form">
        <h2 id="confirm-title">{title}</h2>
        {children}
        {understood !== undefined && (
          <label class="tick">
            <input
              type="checkbox"
              checked={isUnderstood.value}
              onChange={event => {
                isUnderstood.value = event.currentTarget.checked
              }}
            />
            <span>{understood}</span>
          </label>
        )}
        <p class="fault" role="alert">
          {errorMessage}
        </p>
        <div class="picker-foot">
          <button type="button" class="button" onClick={onLeave}>
            {leaveIt}
          </button>
          <button
            type="button"
            class="button button-danger"
            disabled={!isUnderstood.value || isBusy}
            onClick={onDo}
          >
            {doIt}
          </button>
        </div>
      </div>
    </Modal>
  )
}
