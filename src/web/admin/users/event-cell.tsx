/** A link to the operator’s page of an event. */
export function eventCell(eventId: string | null) {
  return eventId === null ? null : <a href={`/admin/event/${eventId}`}>{eventId}</a>
}
