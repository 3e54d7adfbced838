import { useSignal } from '@preact/signals'
import { FormField } from '../../../forms/form-field.jsx'
import { FormFoot } from '../../../forms/form-foot.jsx'
import { t } from '../../../texts/admin-events.js'
import { useOperatorAction } from '../../operator-action.js'

const FIELDS = ['source_url', 'note'] as const

/** The source and note of a result, as the API takes them: fields left empty are absent. */
export interface ResultNotes {
  readonly source_url?: string
  readonly note?: string
}

interface ConfirmResultProps {
  /** The words on the button. */
  readonly doIt: string
  /** The code that confirms it, and the label of its field. */
  readonly code: string
  readonly codeLabel: string
  readonly codeHint?: string
  /** Sends the result; the form shows what it throws. */
  readonly send: (notes: ResultNotes) => Promise<void>
  readonly onLeave: () => void
}

/** The second step of a result: the operator types a code to confirm it. */
export function ConfirmResult(props: ConfirmResultProps) {
  const { doIt, codeLabel, codeHint, send, onLeave } = props
  const [code, source, note] = [useSignal(''), useSignal(''), useSignal('')]
  const { fault, isBusy, run } = useOperatorAction(FIELDS)
  const isTyped = code.value.trim() === props.code
  const submit = (event: Event) => {
    event.preventDefault()
    if (!isTyped) return
    const [source_url, words] = [source.value.trim(), note.value.trim()]
    return run(() => send({ ...(source_url !== '' && { source_url }), ...(words !== '' && { note: words }) }))
  }
  const optional = { hint: t.settle.shown, fault }
  return (
    <form class="form settle-form" onSubmit={submit} noValidate aria-label={doIt}>
      <div class="form-line">
        <FormField name="source_url" label={t.settle.link} text={source} {...optional} />
        <FormField name="note" label={t.settle.note} text={note} {...optional} />
      </div>
      <FormField
        name="code"
        label={codeLabel}
        {...(codeHint !== undefined && { hint: codeHint })}
        text={code}
        fault={fault}
      />
      <FormFoot fault={fault}>
        <button type="button" class="button" onClick={onLeave}>
          {t.cancel}
        </button>
        <button type="submit" class="button button-danger" disabled={isBusy || !isTyped}>
          {doIt}
        </button>
      </FormFoot>
    </form>
  )
}
