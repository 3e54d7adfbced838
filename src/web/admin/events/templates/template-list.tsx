import type { EventTemplate } from '../../../../client/client.js'
import { t } from '../../../texts/admin-templates.js'
import { clients } from '../../admin-clients.js'
import { useOperatorAction } from '../../operator-action.js'

interface TemplateListProps {
  readonly templates: readonly EventTemplate[]
  /** The one that the form began from. */
  readonly chosen: EventTemplate | undefined
  readonly onChoose: (template: EventTemplate) => void
  readonly onChange: (left: readonly EventTemplate[]) => void
}

/** The templates to begin an event from; each can be deleted. */
export function TemplateList({ templates, chosen, onChoose, onChange }: TemplateListProps) {
  const { fault, isBusy, run } = useOperatorAction()
  if (templates.length === 0) return null
  return (
    <section class="card" aria-label={t.templates}>
      <h2>{t.templates}</h2>
      <ul class="template-list">
        {templates.map(template => (
          <li key={template.id}>
            <button
              type="button"
              class="chip"
              aria-pressed={template.id === chosen?.id}
              onClick={() => onChoose(template)}
            >
              {template.name}
            </button>
            <span class="note">{t.times(template.opens_at, template.closes_at, template.days)}</span>
            <button
              type="button"
              class="button button-small"
              aria-label={t.deleteNamed(template.name)}
              disabled={isBusy}
              onClick={() =>
                run(async () => onChange(await clients.doing.operator.deleteTemplate(template.id)))
              }
            >
              {t.delete}
            </button>
          </li>
        ))}
      </ul>
      {fault !== undefined && (
        <p class="fault" role="alert">
          {fault.words}
        </p>
      )}
    </section>
  )
}
