import type { EventGroup, GroupMoney, ListedMarket } from '../../../client/client.js'

/** A group with its money, and the events that are its outcomes, in their order. */
export interface GroupState {
  readonly group: EventGroup
  readonly money: GroupMoney
  readonly events: readonly ListedMarket[]
}
