import type { Signal } from '@preact/signals'
import { useSignal } from '@preact/signals'
import { t } from '../texts/kit.js'
import type { FieldFault } from './field-faults.js'

interface PasswordFieldProps {
  readonly name: string
  readonly label: string
  /** Shown below the field; an error replaces it. */
  readonly hint?: string
  readonly text: Signal<string>
  readonly fault: FieldFault | undefined
  /** Tells password managers to fill the field in, or to save it. */
  readonly autocomplete: 'current-password' | 'new-password' | 'off'
}

/** A field for a secret: hidden until the person wants to see it, with a warning about Caps Lock. */
export function PasswordField({ name, label, hint = '', text, fault, autocomplete }: PasswordFieldProps) {
  const isShown = useSignal(false)
  const isCapsLock = useSignal(false)
  const isWrong = fault?.field === name
  const id = `field-${name}`
  const noteCapsLock = (event: KeyboardEvent) => {
    isCapsLock.value = event.getModifierState?.('CapsLock') ?? false
  }
  return (
    <div class="form-field">
      <label for={id}>{label}</label>
      <div class="password-line">
        <input
          id={id}
          name={name}
          class="field"
          {...typeOf(isShown.value)}
          autocomplete={autocomplete}
          autocapitalize="none"
          spellcheck={false}
          maxLength={1024}
          value={text.value}
          onInput={event => {
            text.value = event.currentTarget.value
          }}
          onKeyDown={noteCapsLock}
          onKeyUp={noteCapsLock}
          onBlur={() => {
            isCapsLock.value = false
          }}
          aria-invalid={isWrong}
          aria-describedby={`note-${name} caps-${name}`}
        />
        <button
          type="button"
          class="button"
          aria-pressed={isShown.value}
          aria-label={t.showField(label)}
          onClick={() => {
            isShown.value = !isShown.value
          }}
        >
          {isShown.value ? t.hide : t.show}
        </button>
      </div>
      <p id={`note-${name}`} class={isWrong ? 'note fault' : 'note'} role={isWrong ? 'alert' : undefined}>
        {isWrong ? fault.words : hint}
      </p>
      <p id={`caps-${name}`} class="caps-lock" role="status">
        {isCapsLock.value && t.capsLock}
      </p>
    </div>
  )
}

/** Preact ties the types of inputs to their roles, of which this one has none. */
function typeOf(isShown: boolean): { readonly type: 'password' } {
  return { type: (isShown ? 'text' : 'password') as 'password' }
}
