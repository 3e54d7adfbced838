import { FetchedTerms } from '../../kit/fetched-terms.js'
import { nameText } from '../../kit/name-text.js'
import { clients } from '../admin-clients.js'

const terms = new FetchedTerms(clients.doing)

/** A link to the page of an event or a group: its title and code, until it is loaded the code alone. */
export function eventCell(eventId: string | null) {
  return eventId === null ? null : <EventLink eventId={eventId} />
}

/** Returns the title of an event or a group; undefined until it is loaded. */
export function eventTitle(eventId: string): string | undefined {
  return terms.of(eventId)?.title ?? terms.groupOf(eventId)?.title
}

function EventLink({ eventId }: { readonly eventId: string }) {
  const group = terms.groupOf(eventId)
  const title = eventTitle(eventId)
  return (
    <span class="event-cell">
      <a href={`/admin/${group === undefined ? 'event' : 'groups'}/${eventId}`}>
        {title === undefined ? eventId : nameText(title)}
      </a>
      {title !== undefined && <small class="faint">{eventId}</small>}
    </span>
  )
}
