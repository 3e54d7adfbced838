import type { HouseRung } from '../events/event-shape.js'

/** House quotes of an event. Money is in rupees; results are negative where the house loses. */
export interface HouseQuotes {
  readonly event_id: string
  readonly status: 'preview' | 'running' | 'stopped' | 'returned'
  readonly budget: number
  readonly returned: number
  readonly start_price: number
  readonly step: number
  readonly max_loss: number | null
  readonly worst_case: number
  readonly result_if_yes: number
  readonly result_if_no: number
  readonly cash: number
  readonly yes: number
  readonly no: number
  /** True if it can only sell YES: there is no rung below the start price. */
  readonly asks_only: boolean
  readonly rungs: readonly HouseRung[]
  readonly fundedAt: string | null
  readonly stoppedAt: string | null
}

/** House quotes of a group: those of its outcomes, and their sums. */
export interface GroupHouseQuotes {
  readonly code: string
  readonly budget: number
  readonly returned: number
  readonly max_loss: number | null
  readonly worst_case: number
  readonly outcomes: readonly (HouseQuotes & { readonly label: string })[]
}
