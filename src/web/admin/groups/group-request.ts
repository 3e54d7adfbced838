import { LIMITS } from '../../../api/limits.js'
import type { GroupRequest, RaayError } from '../../../client/client.js'
import { NONE_LABEL } from '../../../core/group.js'
import { slugOf } from '../../../core/slug.js'
import type { FieldFault } from '../../forms/field-faults.js'
import { t } from '../../texts/admin-groups.js'
import type { EventDraft } from '../events/event-draft.js'
import { EVENT_FIELDS } from '../events/event-draft.js'
import { eventFaultOf } from '../events/event-faults.js'
import { requestOf } from '../events/event-request.js'

export const GROUP_FIELDS: readonly string[] = [...EVENT_FIELDS, 'outcomes']

/** The fields of a group's form besides those of an event. */
export interface OutcomesDraft {
  readonly kind: GroupRequest['kind']
  readonly hasNone: boolean
  /** One title a line. */
  readonly outcomes: string
}

/** Returns the titles of the outcomes, one a line; empty lines are ignored. */
export function titlesIn(text: string): string[] {
  return text
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '')
}

/** Returns the number of outcomes, "None of these" included. */
export function countOf({ kind, hasNone, outcomes }: OutcomesDraft): number {
  return titlesIn(outcomes).length + (kind === 'exclusive' && hasNone ? 1 : 0)
}

/** Reads a draft; returns the request, or the first wrong field. The exchange checks the rest. */
export function groupRequestOf(draft: EventDraft, own: OutcomesDraft): GroupRequest | FieldFault {
  const request = requestOf(draft)
  const words = 'words' in request && ['title', 'description'].includes(request.field ?? '')
  const fault = words ? request : outcomesFault(own)
  if (fault !== undefined) return fault as FieldFault
  if ('words' in request) return request
  const { kind, hasNone, outcomes } = own
  return {
    ...{ ...request, kind, outcomes: titlesIn(outcomes).map(title => ({ title })) },
    ...(kind === 'exclusive' && hasNone && { none_of_these: true }),
  }
}

function outcomesFault(own: OutcomesDraft): FieldFault | undefined {
  const fault = (words: string): FieldFault => ({ field: 'outcomes', words })
  const titles = titlesIn(own.outcomes)
  const hasNone = own.kind === 'exclusive' && own.hasNone
  const slugs = [...titles, ...(hasNone ? [NONE_LABEL] : [])].map(slugOf)
  const twice = titles.find((_, index) => slugs.indexOf(slugs[index] ?? '', index + 1) > 0)
  if (twice !== undefined) return fault(t.outcomeTwice(twice))
  if (slugs.length < LIMITS.outcomesMin) return fault(t.outcomesWanted)
  return slugs.length > LIMITS.outcomesMax ? fault(t.outcomesMany) : undefined
}

/** Puts a refusal of a new group into the words of the form. */
export function groupFaultOf(error: RaayError, outcomes: string): FieldFault {
  // Without a response it is not sent again, since the group may exist.
  if (error.code === 502 || error.code === 408) return { field: undefined, words: t.noResponse }
  const [, index, rest = ''] = /^outcomes\.(\d+)\.title: (.+)$/.exec(error.message) ?? []
  if (index === undefined) return error.message.startsWith('outcomes: ') ? lengthFault() : eventFaultOf(error)
  const words = error.reason === 'event_exists' ? t.outcomeTaken : wordsOf(rest)
  return { field: 'outcomes', words: t.outcomeFault(titlesIn(outcomes)[Number(index)] ?? '', words) }
}

function wordsOf(rest: string): string {
  return eventFaultOf({ code: 422, message: `title: ${rest}`, reason: undefined }).words
}

function lengthFault(): FieldFault {
  return { field: 'outcomes', words: t.outcomesMany }
}
