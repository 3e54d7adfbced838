import { useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import type { Fill, Market } from '../../../client/shapes.js'
import { account } from '../account.js'
import { exchange } from '../exchange-client.js'
import { userId } from '../session.js'
import type { OwnMarks } from './own-marks.js'
import { ownMarks } from './own-marks.js'

/** The newest fills of all markets; the portfolio’s history has older ones. */
const FILLS_MAX = 50

/** Returns the user’s marks on the chart of an event, fetched again when their contracts change. */
export function useOwnMarks({ event_id, payout }: Pick<Market, 'event_id' | 'payout'>): OwnMarks {
  const fills = useSignal<readonly Fill[]>([])
  const name = userId.value
  const { valued, positions } = account.value
  const held = positions?.find(position => position.event_id === event_id)
  const holding = valued.get(event_id)
  useEffect(() => {
    fills.value = []
    if (name === undefined || held === undefined) return
    let isOver = false
    exchange.fetchMyTrades({ userid: name, limit: FILLS_MAX }).then(
      found => {
        if (!isOver) fills.value = found.filter(fill => fill.event_id === event_id)
      },
      // The chart is whole without them.
      () => {},
    )
    return () => {
      isOver = true
    }
  }, [name, event_id, held?.yes, held?.no])
  const average = holding?.average_price ?? null
  return useMemo(
    () => ownMarks(fills.value, held && { ...held, average_price: average }, payout),
    [fills.value, held?.yes, held?.no, average, payout],
  )
}
