import type { EventGroup, GroupOutcome, Outcome, RaayClient } from '../../../../client/client.js'
import { nameText } from '../../../kit/name-text.js'
import { rupeesText } from '../../../kit/number-texts.js'
import { t as events } from '../../../texts/admin-events.js'
import { t } from '../../../texts/admin-groups.js'
import type { GroupState } from '../group-state.js'

/** The result of a group or of some of its outcomes, as chosen and not yet confirmed. */
export type GroupAct =
  | { readonly kind: 'winner' | 'eliminate'; readonly event: string }
  | { readonly kind: 'void' }
  | { readonly kind: 'each'; readonly outcomes: ReadonlyMap<string, Outcome> }

export interface ResultNotes {
  readonly source_url?: string
  readonly note?: string
}

/** Returns the outcomes without a result. */
export function liveOf({ outcomes }: Pick<EventGroup, 'outcomes'>): readonly GroupOutcome[] {
  return outcomes.filter(({ outcome }) => outcome === null)
}

/** Returns the outcomes that can win: all that are left, once all are closed. */
export function winnersOf(group: EventGroup): readonly GroupOutcome[] {
  const live = liveOf(group)
  return live.every(({ status }) => status === 'closed') ? live : []
}

/** Returns the outcomes that can get a result of their own. */
export function closedOf(group: EventGroup): readonly GroupOutcome[] {
  return liveOf(group).filter(({ status }) => status === 'closed')
}

/** Returns the winner that an act sets in an exclusive group, or `void`; undefined if it goes on. */
export function resultOf(act: GroupAct, group: EventGroup): string | undefined {
  if (act.kind === 'winner') return act.event
  if (act.kind === 'void') return group.kind === 'exclusive' ? act.kind : undefined
  if (act.kind === 'each') return undefined
  const left = liveOf(group).filter(({ event_id }) => event_id !== act.event)
  return left.length === 1 ? left[0]?.event_id : undefined
}

/** Says what an act does, a sentence each. */
export function consequencesOf(act: GroupAct, state: GroupState): string[] {
  const { group, money } = state
  const live = liveOf(group)
  const labelOf = (event: string) =>
    nameText(group.outcomes.find(({ event_id }) => event_id === event)?.label ?? event)
  const fees = (words: (text: string) => string) => (money.fees > 0 ? [words(rupeesText(money.fees))] : [])
  const paid = [t.settle.pays(rupeesText(money.payout)), ...fees(t.settle.keepsFees)]
  switch (act.kind) {
    case 'winner':
      return [t.settle.wins(labelOf(act.event), live.length - 1), ...paid, t.settle.final]
    case 'eliminate': {
      const left = live.filter(({ event_id }) => event_id !== act.event)
      const [last] = left
      const lost = t.settle.lost(labelOf(act.event))
      return left.length === 1 && last !== undefined
        ? [lost, t.settle.lastLeft(nameText(last.label)), ...paid, t.settle.final]
        : [lost, t.settle.goesOn(left.length), t.settle.canVoid]
    }
    case 'void':
      return [
        t.settle.voids,
        ...(live.some(({ status }) => status !== 'closed') ? [t.settle.cancels] : []),
        ...fees(t.settle.refundsFees),
        t.settle.house,
        t.settle.final,
      ]
    case 'each':
      return [...[...act.outcomes].map(chosen => eachWords(chosen, state)), t.settle.final]
  }
}

function eachWords([code, outcome]: readonly [string, Outcome], { events: all }: GroupState): string {
  const event = all.find(({ event_id }) => event_id === code)
  const label = nameText(event?.label ?? code)
  if (event === undefined || outcome === 'void') return t.settle.eachVoid(label)
  return t.settle.each(label, events.outcome[outcome], rupeesText(event.open_interest * event.payout))
}

/** Sets the result; rejects with the refusal of the exchange. */
export async function send(
  { groups, operator }: Pick<RaayClient, 'groups' | 'operator'>,
  { code }: EventGroup,
  act: GroupAct,
  notes: ResultNotes,
): Promise<void> {
  switch (act.kind) {
    case 'winner':
      await groups.resolve(code, { winner: act.event, ...notes })
      return
    case 'eliminate':
      await operator.resolveMarket(act.event, { outcome: 'no', ...notes })
      return
    case 'void':
      await groups.resolve(code, { winner: 'void', ...notes })
      return
    case 'each':
      await groups.resolve(code, { outcomes: Object.fromEntries(act.outcomes), ...notes })
  }
}
