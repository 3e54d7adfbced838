import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { EventTemplate, Market, RaayError } from '../../../client/client.js'
import type { FieldFault } from '../../forms/field-faults.js'
import { FormFoot } from '../../forms/form-foot.jsx'
import { goTo } from '../../kit/address.js'
import { nowMs, secondClock } from '../../kit/browser-clock.js'
import { siteName } from '../../kit/page-site.js'
import { t } from '../../texts/admin-events.js'
import { t as templateTexts } from '../../texts/admin-templates.js'
import { clients } from '../admin-clients.js'
import { useOperatorAction } from '../operator-action.js'
import { usePolled } from '../polling.js'
import { copyOf } from './event-copy.js'
import type { EventDraft } from './event-draft.js'
import { EVENT_FIELDS, newDraft } from './event-draft.js'
import { eventFaultOf } from './event-faults.js'
import { draftIn, EventFields, useEventTexts } from './event-fields.jsx'
import { requestOf } from './event-request.js'
import { termSentences } from './event-terms.js'
import { filledIn } from './templates/placeholders.js'
import { SaveTemplate } from './templates/save-template.jsx'
import { draftFrom } from './templates/template-draft.js'
import { TemplateList } from './templates/template-list.jsx'

const MARKETS_MAX = 1000
const CATEGORIES_PAUSE_MS = 60_000

/** The page that creates an event, from nothing, a template or the event that its address names. */
export function NewEventPage() {
  const code = new URLSearchParams(location.search).get('from')
  const copied = useSignal<Market | null | undefined>(code === null ? null : undefined)
  useEffect(() => {
    document.title = t.pageTitle(t.newEvent, siteName)
    if (code === null) return
    clients.asking.fetchMarket(code).then(
      market => {
        copied.value = market
      },
      // Without the event the form is as good as empty.
      () => {
        copied.value = null
      },
    )
  }, [code, copied])
  const market = copied.value
  return (
    <>
      <div class="page-head">
        <h1>{t.newEvent}</h1>
        <a class="button" href="/admin">
          {t.backToEvents}
        </a>
      </div>
      {market === undefined ? (
        <p class="empty">{t.loadingEvent}</p>
      ) : (
        <>
          {market !== null && <p class="notice">{t.startFrom(market.title)}</p>}
          <Start draft={market === null ? newDraft(nowMs()) : copyOf(market, nowMs())} />
        </>
      )}
    </>
  )
}

/** The form, begun from a draft or from the template that the operator chooses. */
function Start({ draft }: { readonly draft: EventDraft }) {
  const templates = useSignal<readonly EventTemplate[]>([])
  const chosen = useSignal<EventTemplate | undefined>(undefined)
  const change = (all: readonly EventTemplate[]) => {
    templates.value = all
  }
  useEffect(() => {
    // Without the list, an event is created from nothing.
    clients.doing.operator.fetchTemplates().then(change, () => {})
  }, [])
  const template = chosen.value
  return (
    <div class="stack">
      <TemplateList
        templates={templates.value}
        chosen={template}
        onChoose={picked => {
          chosen.value = picked
        }}
        onChange={change}
      />
      <NewEventForm
        key={template?.id}
        draft={template === undefined ? draft : draftFrom(template, nowMs())}
        templateName={template?.name ?? ''}
        onTemplates={change}
      />
    </div>
  )
}

interface NewEventFormProps {
  readonly draft: EventDraft
  readonly templateName: string
  readonly onTemplates: (all: readonly EventTemplate[]) => void
}

function NewEventForm({ draft, templateName, onTemplates }: NewEventFormProps) {
  const texts = useEventTexts(draft)
  const { fault, isBusy, refuse, run } = useOperatorAction(EVENT_FIELDS, createFault)
  const known = usePolled(
    () => clients.asking.fetchMarkets({ description: 'no', limit: MARKETS_MAX }),
    CATEGORIES_PAUSE_MS,
  )
  const submit = (event: Event) => {
    event.preventDefault()
    const request = requestOf(filledIn(draftIn(texts)))
    if ('words' in request) return refuse(request)
    return run(async () => {
      const code = await clients.doing.operator.createMarket(request)
      goTo(`/admin/event/${code}`)
    })
  }
  const categories = [...new Set(known.value?.flatMap(({ category }) => category ?? []))].sort()
  return (
    <>
      <form class="card form event-form" onSubmit={submit} noValidate>
        <div class="form">
          <EventFields texts={texts} fault={fault} categories={categories} />
        </div>
        <Meaning draft={draftIn(texts)} />
        <FormFoot fault={fault}>
          <button type="submit" class="button button-main" disabled={isBusy}>
            {t.create}
          </button>
        </FormFoot>
      </form>
      <SaveTemplate draft={draftIn(texts)} name={templateName} onChange={onTemplates} />
    </>
  )
}

function Meaning({ draft }: { readonly draft: EventDraft }) {
  const { title } = filledIn(draft)
  return (
    <section class="notice terms" aria-label={t.meaning}>
      <h2>{t.meaning}</h2>
      <ul>
        {title !== draft.title && <li>{templateTexts.reads(title)}</li>}
        {termSentences(draft, secondClock.value).map(sentence => (
          <li key={sentence.slice(0, 14)}>{sentence}</li>
        ))}
      </ul>
    </section>
  )
}

/** Explains a failed creation; without a response it is not retried, since the event may exist. */
function createFault(error: RaayError): FieldFault {
  if (error.code !== 502 && error.code !== 408) return eventFaultOf(error)
  return { field: undefined, words: t.faults.noResponse }
}
