import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { useModal } from './modal.js'

interface OrderDialogProps {
  readonly title: string
  readonly onClose: () => void
  readonly children: ComponentChildren
}

/** A modal dialog about one order; the first element with `autofocus` has the focus. */
export function OrderDialog({ title, onClose, children }: OrderDialogProps) {
  const modal = useModal(onClose)
  const id = useId()
  return (
    <dialog class="picker order-dialog" {...modal} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </dialog>
  )
}
