import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Market, Settlement } from '../../../client/shapes.js'
import { account } from '../account.js'
import { exchange } from '../exchange-client.js'
import { userId } from '../session.js'

const FETCHED_MAX = 1000

/** The user’s settlement in a market; `none` without contracts in it, undefined while it is not known. */
export type OwnSettlement = Settlement | 'none' | undefined

/** Fetches the user’s settlement once the market has settled. */
export function useOwnSettlement(eventId: string, status: Market['status']): OwnSettlement {
  const settlement = useSignal<OwnSettlement>(undefined)
  const name = userId.value
  // A user without trades has no account, and so no settlement.
  const { balance, positions } = account.value
  const hasAccount = balance !== undefined
  const isNew = !hasAccount && positions !== undefined
  useEffect(() => {
    settlement.value = undefined
    if (!hasAccount || name === undefined || (status !== 'settled' && status !== 'voided')) return
    exchange.fetchSettlements({ userid: name, limit: FETCHED_MAX }).then(
      found => {
        const own = found.find(({ event_id }) => event_id === eventId)
        // Beyond the fetched ones there may be another.
        settlement.value = own ?? (found.length < FETCHED_MAX ? 'none' : undefined)
      },
      // The result is shown all the same.
      () => {},
    )
  }, [name, hasAccount, eventId, status])
  if (isNew && (status === 'settled' || status === 'voided')) return 'none'
  return settlement.value
}
