import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { Modal } from '../../kit/modal.jsx'

interface OrderDialogProps {
  readonly title: string
  readonly onClose: () => void
  readonly children: ComponentChildren
}

/** A modal dialog about one order; the first element with `autofocus` has the focus. */
export function OrderDialog({ title, onClose, children }: OrderDialogProps) {
  const id = useId()
  return (
    <Modal class="picker order-dialog" onClose={onClose} closesOutside aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </Modal>
  )
}
