import { useEffect, useRef } from 'preact/hooks'
import { MoneyForm } from './money-form.jsx'

interface MoneyDialogProps {
  /** Whose money it is about; empty where it is still to be typed. */
  readonly userid: string
  readonly onEnd: (done: string) => void
}

/** A deposit or a withdrawal, under a number of its own so that it counts once however often it is sent. */
export function MoneyDialog({ userid, onEnd }: MoneyDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    dialog.current?.showModal()
  }, [])
  return (
    <dialog class="picker" ref={dialog} onClose={() => onEnd('')} aria-labelledby="money-title">
      <MoneyForm userid={userid} onEnd={onEnd} />
    </dialog>
  )
}
