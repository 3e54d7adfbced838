import type { GroupHouseQuotes, HouseCalls, HouseQuotes, RaayClient } from '../../../client/client.js'

/** The house quotes of an event, or of the outcomes of a group. */
export type AnyQuotes = HouseQuotes | GroupHouseQuotes

export interface HouseCardProps {
  readonly code: string
  readonly callsOf: (client: RaayClient) => HouseCalls<AnyQuotes>
  /** The price to begin at, in rupees; undefined where each outcome has an even share. */
  readonly startPrice: number | undefined
  readonly takesOrders: boolean
}

/** Returns the quotes of each outcome; of an event those that it has itself. */
export function quotesIn(quotes: AnyQuotes): readonly (HouseQuotes & { readonly label?: string })[] {
  return 'outcomes' in quotes ? quotes.outcomes : [quotes]
}
