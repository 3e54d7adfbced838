import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { t } from '../../texts/admin-events.js'

interface EditCardProps {
  readonly id: string
  readonly title: string
  /** The words on the button that opens the form; undefined if nothing can be changed any more. */
  readonly change: string | undefined
  /** The form; `onEnd` takes whether anything was saved. */
  readonly form: (onEnd: (isSaved: boolean) => void) => ComponentChildren
  readonly onSaved: () => void
  /** Shown while the form is closed. */
  readonly children: ComponentChildren
}

/** A card of details that turns into a form to change them. */
export function EditCard({ id, title, change, form, onSaved, children }: EditCardProps) {
  const isOpen = useSignal(false)
  const isSaved = useSignal(false)
  return (
    <section class="card" aria-labelledby={id}>
      <div class="card-head">
        <h2 id={id}>{title}</h2>
        {!isOpen.value && change !== undefined && (
          <button
            type="button"
            class="button button-small"
            onClick={() => {
              isOpen.value = true
              isSaved.value = false
            }}
          >
            {change}
          </button>
        )}
      </div>
      {isOpen.value && change !== undefined
        ? form(saved => {
            isOpen.value = false
            isSaved.value = saved
            if (saved) onSaved()
          })
        : children}
      <p class="card-foot gain" role="status">
        {isSaved.value && t.saved}
      </p>
    </section>
  )
}
