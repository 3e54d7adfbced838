import { useSignal } from '@preact/signals'
import type { EventSchedule, EventTemplate } from '../../../../client/shapes.js'
import { t } from '../../../texts/admin-templates.js'
import { clients } from '../../admin-clients.js'
import { useOperatorAction } from '../../operator-action.js'
import { ScheduleForm } from './schedule-form.jsx'
import { standingText, troubleText } from './schedule-words.js'

interface TemplateListProps {
  readonly templates: readonly EventTemplate[]
  /** The one that the form began from. */
  readonly chosen: EventTemplate | undefined
  readonly onChoose: (template: EventTemplate) => void
  readonly onChange: (left: readonly EventTemplate[]) => void
}

/** The templates to begin an event from; each can be scheduled and deleted. */
export function TemplateList({ templates, chosen, onChoose, onChange }: TemplateListProps) {
  const opened = useSignal<number | undefined>(undefined)
  const { fault, isBusy, run } = useOperatorAction()
  if (templates.length === 0) return null
  const remove = (id: number) => run(async () => onChange(await clients.doing.operator.deleteTemplate(id)))
  const replace = (changed: EventTemplate) =>
    onChange(templates.map(template => (template.id === changed.id ? changed : template)))
  return (
    <section class="card" aria-label={t.templates}>
      <h2>{t.templates}</h2>
      <ul class="template-list">
        {templates.map(template => (
          <li key={template.id}>
            <TemplateLine
              {...{ template, isBusy, isChosen: template.id === chosen?.id }}
              {...{ isOpened: template.id === opened.value, onChoose: () => onChoose(template) }}
              onOpen={() => {
                opened.value = opened.peek() === template.id ? undefined : template.id
              }}
              onDelete={() => remove(template.id)}
            />
            {template.id === opened.value && <ScheduleForm template={template} onChange={replace} />}
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

interface LineProps {
  readonly template: EventTemplate
  readonly isChosen: boolean
  readonly isOpened: boolean
  readonly isBusy: boolean
  readonly onChoose: () => void
  readonly onOpen: () => void
  readonly onDelete: () => void
}

function TemplateLine({ template, isChosen, isOpened, isBusy, onChoose, onOpen, onDelete }: LineProps) {
  const { name, opens_at, closes_at, days, schedule } = template
  return (
    <div class="template-line">
      <button type="button" class="chip" aria-pressed={isChosen} onClick={onChoose}>
        {name}
      </button>
      <span class="note">
        {t.times(opens_at, closes_at, days)}
        {schedule !== null && <Standing schedule={schedule} />}
      </span>
      <span class="template-moves">
        <button
          type="button"
          class="button button-small"
          aria-expanded={isOpened}
          aria-label={t.scheduleOf(name)}
          onClick={onOpen}
        >
          {t.schedule}
        </button>
        <button
          type="button"
          class="button button-small"
          aria-label={t.deleteNamed(name)}
          disabled={isBusy}
          onClick={onDelete}
        >
          {t.delete}
        </button>
      </span>
    </div>
  )
}

function Standing({ schedule }: { readonly schedule: EventSchedule }) {
  const trouble = troubleText(schedule)
  return (
    <>
      {` · ${standingText(schedule)}`}
      {trouble !== undefined && <span class="fault schedule-trouble">{trouble}</span>}
    </>
  )
}
