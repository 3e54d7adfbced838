import type { ComponentChildren } from 'preact'
import { Modal } from '../kit/modal.jsx'
import type { Action } from './action.js'
import { FormFoot } from './form-foot.jsx'

interface FormDialogProps {
  /** Names the dialog’s title in the page. */
  readonly id: string
  readonly title: string
  readonly action: Pick<Action, 'fault' | 'isBusy'>
  /** The labels of the buttons. */
  readonly doIt: string
  readonly leaveIt: string
  readonly isDangerous?: boolean
  /** Checks the fields and sends them. */
  readonly onSubmit: () => unknown
  readonly onLeave: () => void
  /** The fields. */
  readonly children: ComponentChildren
}

/** A dialog with a form: its fields, why it was refused, and buttons to leave and to send it. */
export function FormDialog(props: FormDialogProps) {
  const { id, title, action, doIt, leaveIt, isDangerous = false, onSubmit, onLeave, children } = props
  const submit = (event: Event) => {
    event.preventDefault()
    onSubmit()
  }
  return (
    <Modal class="picker" onClose={onLeave} aria-labelledby={`${id}-title`}>
      <form class="form" onSubmit={submit} noValidate>
        <h2 id={`${id}-title`}>{title}</h2>
        {children}
        <FormFoot fault={action.fault}>
          <button type="button" class="button" onClick={onLeave}>
            {leaveIt}
          </button>
          <button
            type="submit"
            class={`button ${isDangerous ? 'button-danger' : 'button-main'}`}
            disabled={action.isBusy}
          >
            {doIt}
          </button>
        </FormFoot>
      </form>
    </Modal>
  )
}
