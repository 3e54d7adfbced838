import { Modal } from '../../kit/modal.jsx'
import { MoneyForm } from './money-form.jsx'

interface MoneyDialogProps {
  /** The user; empty if the operator types the name. */
  readonly userid: string
  readonly onEnd: (done: string) => void
}

/** The dialog for a deposit or a withdrawal. */
export function MoneyDialog({ userid, onEnd }: MoneyDialogProps) {
  return (
    <Modal class="picker" onClose={() => onEnd('')} aria-labelledby="money-title">
      <MoneyForm userid={userid} onEnd={onEnd} />
    </Modal>
  )
}
