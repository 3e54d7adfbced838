import type { ComponentChildren } from 'preact'
import type { FieldFault } from './field-faults.js'

interface FormFootProps {
  readonly fault: FieldFault | undefined
  /** The buttons. */
  readonly children: ComponentChildren
}

/** The end of a form: what is wrong and is about no field, and the buttons. */
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
