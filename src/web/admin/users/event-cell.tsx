import { FetchedTerms } from '../../kit/fetched-terms.js'
import { clients } from '../admin-clients.js'

const terms = new FetchedTerms(clients.doing)

/** A link to the operator’s page of an event: its title and code, until it is loaded the code alone. */
export function eventCell(eventId: string | null) {
  return eventId === null ? null : <EventLink eventId={eventId} />
}

function EventLink({ eventId }: { readonly eventId: string }) {
  const title = terms.of(eventId)?.title
  return (
    <span class="event-cell">
      <a href={`/admin/event/${eventId}`}>{title ?? eventId}</a>
      {title !== undefined && <small class="faint">{eventId}</small>}
    </span>
  )
}
