import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { nowMs, secondClock } from '../browser-clock.js'
import { clients, hear } from './admin-access.js'
import { goToAdmin } from './admin-router.js'
import { EVENT_FIELDS, newDraft, requestOf } from './event-draft.js'
import { draftIn, EventFields, useEventTexts } from './event-fields.jsx'
import { termSentences } from './event-terms.js'
import { focusFault } from './form-field.jsx'
import { usePolled } from './polled.js'
import type { FieldFault } from './trouble-words.js'
import { faultOf } from './trouble-words.js'

const MARKETS_MAX = 1000
const CATEGORIES_PAUSE_MS = 60_000

/** Makes an event. */
export function NewEventPage() {
  const texts = useEventTexts(newDraft(nowMs()))
  const fault = useSignal<FieldFault | undefined>(undefined)
  const isBusy = useSignal(false)
  const known = usePolled(
    () => clients.value.asking.fetchMarkets({ limit: MARKETS_MAX }),
    CATEGORIES_PAUSE_MS,
  )
  useEffect(() => {
    document.title = 'New event: Raay admin'
  }, [])
  const refuse = (found: FieldFault) => {
    fault.value = found
    isBusy.value = false
    focusFault(found)
  }
  const submit = async (event: Event) => {
    event.preventDefault()
    if (isBusy.value) return
    const request = requestOf(draftIn(texts))
    if ('words' in request) return refuse(request)
    isBusy.value = true
    try {
      const code = await clients.value.doing.operator.createMarket(request)
      goToAdmin(`/admin/event/${code}`)
    } catch (error) {
      const heard = hear(error)
      if (heard !== undefined) refuse(createFault(heard))
    }
  }
  const categories = [...new Set(known.value?.map(({ sot }) => sot))].sort()
  return (
    <>
      <div class="page-head">
        <h1>New event</h1>
        <a class="button" href="/admin">
          Back to the events
        </a>
      </div>
      <form class="card form event-form" onSubmit={submit} noValidate>
        <div class="form">
          <EventFields texts={texts} fault={fault.value} categories={categories} />
        </div>
        <section class="notice terms" aria-label="What this means">
          <h2>What this means</h2>
          <ul>
            {termSentences(draftIn(texts), secondClock.value).map(sentence => (
              <li key={sentence.slice(0, 14)}>{sentence}</li>
            ))}
          </ul>
        </section>
        <div class="form-foot">
          <p class="fault" role="alert">
            {fault.value?.field === undefined && fault.value?.words}
          </p>
          <button type="submit" class="button button-main" disabled={isBusy.value}>
            Create the event
          </button>
        </div>
      </form>
    </>
  )
}

function createFault(error: { readonly code: number; readonly message: string }): FieldFault {
  const found = faultOf(error, EVENT_FIELDS)
  // Nobody knows whether it came through: looking is better than doing it again.
  const isUnknown = error.code === 502 || error.code === 408
  return isUnknown
    ? {
        field: undefined,
        words: 'No answer came. Look among the events whether it is there before you try again.',
      }
    : found
}
