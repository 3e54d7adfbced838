import { useSignal } from '@preact/signals'
import type { EventTemplate, RaayError } from '../../../../client/client.js'
import type { FieldFault } from '../../../forms/field-faults.js'
import { faultOf } from '../../../forms/field-faults.js'
import { FormField } from '../../../forms/form-field.jsx'
import { FormFoot } from '../../../forms/form-foot.jsx'
import { t } from '../../../texts/admin-templates.js'
import { clients } from '../../admin-clients.js'
import { useOperatorAction } from '../../operator-action.js'
import type { EventDraft } from '../event-draft.js'
import { eventFaultOf } from '../event-faults.js'
import { templateOf } from './template-draft.js'

interface SaveTemplateProps {
  readonly draft: EventDraft
  /** The name of the template that the form began from; empty for a new one. */
  readonly name: string
  readonly onChange?: (all: readonly EventTemplate[]) => void
  /** Shows the question as it is saved. */
  readonly showsTitle?: boolean
}

/** Saves a draft as a template; creates no event. */
export function SaveTemplate({ draft, name, onChange, showsTitle = false }: SaveTemplateProps) {
  const text = useSignal(name)
  const saved = useSignal('')
  const { fault, isBusy, refuse, run } = useOperatorAction([], saveFault)
  const save = (event: Event) => {
    event.preventDefault()
    saved.value = ''
    const template = templateOf(text.peek(), draft)
    if ('words' in template) return refuse(template)
    return run(async () => {
      const { operator } = clients.doing
      saved.value = (await operator.saveTemplate(template)).name
      if (onChange !== undefined) onChange(await operator.fetchTemplates())
    })
  }
  const words = fault?.field === 'name' ? undefined : fault?.words
  return (
    <details class="card save-template">
      <summary>{t.saveAs}</summary>
      <form class="form" onSubmit={save} noValidate>
        <p class="note">{t.what}</p>
        {showsTitle && <p class="note">{t.keeps(draft.title)}</p>}
        <FormField name="name" label={t.name} hint={t.nameHint} text={text} fault={fault} />
        <FormFoot fault={words === undefined ? undefined : { field: undefined, words }}>
          <p class="note" role="status">
            {saved.value !== '' && t.saved(saved.value)}
          </p>
          <button type="submit" class="button" disabled={isBusy}>
            {t.save}
          </button>
        </FormFoot>
      </form>
    </details>
  )
}

/** Explains why a template was not saved. */
function saveFault(error: RaayError): FieldFault {
  if (/^days: /.test(error.message)) return { field: 'end_date', words: t.tooLong }
  const fault = faultOf(error, ['name'])
  return fault.field === undefined ? eventFaultOf(error) : fault
}
