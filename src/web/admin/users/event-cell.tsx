import { FetchedTerms } from '../../kit/fetched-terms.js'
import { nameText } from '../../kit/name-text.js'
import { clients } from '../admin-clients.js'

const terms = new FetchedTerms(clients.doing)

/** A link to the page of an event or a group: its title and code, until it is loaded the code alone. */
export function eventCell(eventId: string | null) {
  return eventId === null ? null : <EventLink eventId={eventId} />
}

function EventLink({ eventId }: { readonly eventId: string }) {
  const group = terms.groupOf(eventId)
  const title = terms.of(eventId)?.title ?? group?.title
  return (
    <span class="event-cell">
      <a href={`/admin/${group === undefined ? 'event' : 'groups'}/${eventId}`}>
        {title === undefined ? eventId : nameText(title)}
      </a>
      {title !== undefined && <small class="faint">{eventId}</small>}
    </span>
  )
}
