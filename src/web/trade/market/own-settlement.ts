import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Market, Settlement } from '../../../client/shapes.js'
import { account } from '../account.js'
import { exchange } from '../exchange-client.js'
import { userId } from '../session.js'

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
    exchange.fetchSettlements({ userid: name, event_id: eventId }).then(
      ([own]) => {
        settlement.value = own ?? 'none'
      },
      // The result is shown all the same.
      () => {},
    )
  }, [name, hasAccount, eventId, status])
  if (isNew && (status === 'settled' || status === 'voided')) return 'none'
  return settlement.value
}
