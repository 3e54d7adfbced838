import type { Signal } from '@preact/signals'
import type { FieldFault } from './field-faults.js'

const TYPES = { line: 'text', number: 'text', time: 'datetime-local', day: 'date' } as const

interface FormFieldProps {
  readonly name: string
  readonly label: string
  /** Shown below the field; an error replaces it. */
  readonly hint?: string | undefined
  readonly text: Signal<string>
  readonly fault: FieldFault | undefined
  readonly kind?: 'line' | 'long' | 'number' | 'time' | 'day'
  readonly disabled?: boolean
  /** Suggestions. */
  readonly known?: readonly string[]
  /** Lets the browser fill the field in. */
  readonly autocomplete?: 'off' | 'username'
}

/** A labelled form field with its hint or error. */
export function FormField({
  name,
  label,
  hint = '',
  text,
  fault,
  kind = 'line',
  disabled = false,
  known = [],
  autocomplete = 'off',
}: FormFieldProps) {
  const isWrong = fault?.field === name
  const shared = {
    id: `field-${name}`,
    name,
    class: 'field',
    value: text.value,
    disabled,
    onInput: (event: { readonly currentTarget: { readonly value: string } }) => {
      text.value = event.currentTarget.value
    },
    'aria-invalid': isWrong,
    'aria-describedby': `note-${name}`,
  }
  return (
    <div class={`form-field form-field-${kind}`}>
      <label for={shared.id}>{label}</label>
      {kind === 'long' ? (
        <textarea {...shared} rows={5} />
      ) : (
        <input
          {...shared}
          type={TYPES[kind]}
          inputMode={kind === 'number' ? 'decimal' : undefined}
          autocomplete={autocomplete}
          autocapitalize={autocomplete === 'username' ? 'none' : undefined}
          list={known.length > 0 ? `known-${name}` : undefined}
        />
      )}
      {known.length > 0 && (
        <datalist id={`known-${name}`}>
          {known.map(word => (
            <option key={word} value={word} />
          ))}
        </datalist>
      )}
      <p id={`note-${name}`} class={isWrong ? 'note fault' : 'note'} role={isWrong ? 'alert' : undefined}>
        {isWrong ? fault.words : hint}
      </p>
    </div>
  )
}
