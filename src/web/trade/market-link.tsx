import { titleOf } from './titles.js'

/** An event’s title, linked to its market page. */
export function MarketLink({ eventId }: { readonly eventId: string }) {
  return (
    <a class="market-link" href={`/market/${eventId}`}>
      {titleOf(eventId)}
    </a>
  )
}
