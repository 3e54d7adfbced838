import type { ListedMarket } from '../../../../client/client.js'

type Judged = Pick<ListedMarket, 'status' | 'end_date'>

/** Returns the events that wait for an operator: for a result, the longest first; then the halted ones. */
export function decisionsAmong<Listed extends Judged>(markets: readonly Listed[]): Listed[] {
  const of = (status: Judged['status']) =>
    markets
      .filter(market => market.status === status)
      .sort((a, b) => Date.parse(a.end_date) - Date.parse(b.end_date))
  return [...of('closed'), ...of('halted')]
}
