import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { t } from '../texts/kit.js'

interface CopyLineProps {
  readonly label: string
  readonly text: string
}

/** A secret or a link to copy: shown once, in a field from which it can also be selected. */
export function CopyLine({ label, text }: CopyLineProps) {
  const field = useRef<HTMLInputElement>(null)
  const isCopied = useSignal(false)
  const copy = async () => {
    field.current?.select()
    // Without HTTPS there is no clipboard; then the text is selected.
    await navigator.clipboard?.writeText(text).then(
      () => {
        isCopied.value = true
      },
      () => {},
    )
  }
  return (
    <div class="copy-line">
      <input
        ref={field}
        class="field"
        readOnly
        aria-label={label}
        value={text}
        onFocus={event => event.currentTarget.select()}
      />
      <button type="button" class="button" onClick={() => void copy()}>
        {isCopied.value ? t.copied : t.copy}
      </button>
      <span class="unseen" role="status">
        {isCopied.value && t.copied}
      </span>
    </div>
  )
}
