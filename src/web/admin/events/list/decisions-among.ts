import type { ListedMarket } from '../../../../client/client.js'

type Judged = Pick<ListedMarket, 'status' | 'end_date' | 'group'>

/**
 * Returns the events that wait for an operator: for a result, the longest first; then the halted ones. A
 * group is one decision, by its first event.
 */
export function decisionsAmong<Listed extends Judged>(markets: readonly Listed[]): Listed[] {
  const of = (status: Judged['status']) =>
    markets
      .filter(market => market.status === status)
      .sort((a, b) => Date.parse(a.end_date) - Date.parse(b.end_date))
  const seen = new Set<string>()
  return [...of('closed'), ...of('halted')].filter(({ group }) => {
    if (group === undefined) return true
    const isFirst = !seen.has(group)
    seen.add(group)
    return isFirst
  })
}
