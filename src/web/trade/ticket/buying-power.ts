import { useComputed } from '@preact/signals'
import { UNITS_PER_RUPEE } from '../../../core/units.js'
import { account, usableMoney } from '../account.js'
import { exchangeFacts } from '../exchange-facts.js'
import type { BuyingPower } from './ticket-draft.js'

/** Returns the free contracts and the money a user can trade with in a market. */
export function useBuyingPower(eventId: string): BuyingPower {
  return useComputed(() => {
    const position = account.value.positions?.find(({ event_id }) => event_id === eventId)
    const money = usableMoney.value
    const freeLots = (all = 0, locked = 0) => Math.round((all - locked) * 100)
    return {
      yesLots: freeLots(position?.yes, position?.yes_locked),
      noLots: freeLots(position?.no, position?.no_locked),
      isPenniless: (account.value.balance?.cash ?? exchangeFacts.value.startingBalance) === 0,
      moneyUnits: money === undefined ? undefined : Math.round(money * UNITS_PER_RUPEE),
    }
  }).value
}
