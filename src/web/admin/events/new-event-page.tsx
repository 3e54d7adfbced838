import { useEffect } from 'preact/hooks'
import type { RaayError } from '../../../client/client.js'
import type { FieldFault } from '../../forms/field-faults.js'
import { faultOf } from '../../forms/field-faults.js'
import { FormFoot } from '../../forms/form-foot.jsx'
import { goTo } from '../../kit/address.js'
import { nowMs, secondClock } from '../../kit/browser-clock.js'
import { clients } from '../admin-clients.js'
import { useOperatorAction } from '../operator-action.js'
import { usePolled } from '../polling.js'
import type { EventDraft } from './event-draft.js'
import { EVENT_FIELDS, newDraft } from './event-draft.js'
import { draftIn, EventFields, useEventTexts } from './event-fields.jsx'
import { requestOf } from './event-request.js'
import { termSentences } from './event-terms.js'

const MARKETS_MAX = 1000
const CATEGORIES_PAUSE_MS = 60_000

/** The form that creates an event. */
export function NewEventPage() {
  const texts = useEventTexts(newDraft(nowMs()))
  const { fault, isBusy, refuse, run } = useOperatorAction(EVENT_FIELDS, createFault)
  const known = usePolled(
    () => clients.asking.fetchMarkets({ description: 'no', limit: MARKETS_MAX }),
    CATEGORIES_PAUSE_MS,
  )
  useEffect(() => {
    document.title = 'New event · Raay admin'
  }, [])
  const submit = (event: Event) => {
    event.preventDefault()
    const request = requestOf(draftIn(texts))
    if ('words' in request) return refuse(request)
    return run(async () => {
      const code = await clients.doing.operator.createMarket(request)
      goTo(`/admin/event/${code}`)
    })
  }
  const categories = [...new Set(known.value?.flatMap(({ category }) => category ?? []))].sort()
  return (
    <>
      <div class="page-head">
        <h1>New event</h1>
        <a class="button" href="/admin">
          Back to events
        </a>
      </div>
      <form class="card form event-form" onSubmit={submit} noValidate>
        <div class="form">
          <EventFields texts={texts} fault={fault} categories={categories} />
        </div>
        <Meaning draft={draftIn(texts)} />
        <FormFoot fault={fault}>
          <button type="submit" class="button button-main" disabled={isBusy}>
            Create event
          </button>
        </FormFoot>
      </form>
    </>
  )
}

function Meaning({ draft }: { readonly draft: EventDraft }) {
  return (
    <section class="notice terms" aria-label="What this means">
      <h2>What this means</h2>
      <ul>
        {termSentences(draft, secondClock.value).map(sentence => (
          <li key={sentence.slice(0, 14)}>{sentence}</li>
        ))}
      </ul>
    </section>
  )
}

/** Explains a failed creation; without a response it is not retried, since the event may exist. */
function createFault(error: RaayError): FieldFault {
  if (error.code !== 502 && error.code !== 408) return faultOf(error, EVENT_FIELDS)
  const words = 'No response. Check the list of events before you try again.'
  return { field: undefined, words }
}
