import type { ComponentChildren } from 'preact'
import type { FieldFault } from './field-faults.js'

interface FormFootProps {
  readonly fault: FieldFault | undefined
  /** The buttons. */
  readonly children: ComponentChildren
}

/** The foot of a form: the buttons, and errors that are not about a field. */
export function FormFoot({ fault, children }: FormFootProps) {
  return (
    <div class="form-foot">
      <p class="fault" role="alert">
        {fault?.field === undefined && fault?.words}
      </p>
      {children}
    </div>
  )
}
