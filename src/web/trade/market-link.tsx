import { isGroup, titleOf } from './titles.js'

/** The title of an event or a group, linked to its page. */
export function MarketLink({ eventId }: { readonly eventId: string }) {
  return (
    <a class="market-link" href={`/${isGroup(eventId) ? 'group' : 'market'}/${eventId}`}>
      {titleOf(eventId)}
    </a>
  )
}
