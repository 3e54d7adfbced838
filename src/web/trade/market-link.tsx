import { titleOf } from './titles.js'

/** The title of an event, leading to its page. */
export function MarketLink({ eventId }: { readonly eventId: string }) {
  return (
    <a class="market-link" href={`/market/${eventId}`}>
      {titleOf(eventId)}
    </a>
  )
}
