import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type {
  EventGroup,
  GroupOutcome,
  GroupPosition,
  GroupPrices,
  OutcomePrices,
  Position,
} from '../../../client/shapes.js'
import { errorText } from '../../kit/error-text.js'
import { account } from '../account.js'
import { exchange } from '../exchange-client.js'
import { frameSignal } from '../market/frame-signal.js'
import { pacedTask, pageSpread } from '../market/paced-task.js'
import { statusTeller } from '../notices/status-news.js'
import { userId } from '../session.js'
import { countWatch } from '../watching.js'

/** Volumes change without a price: they are fetched again this often, and soon after prices change. */
const REFRESH_MS = 15_000
const FIGURES_GAP_MS = 5000

interface GroupState {
  readonly group: EventGroup | undefined
  /** Of an exclusive group, for someone who trades. */
  readonly position: GroupPosition | undefined
  readonly fault: string
  readonly again: () => void
}

/** Fetches a group and follows its prices; fetches the own position in it whenever contracts change. */
export function useGroup(code: string): GroupState {
  const { group, fault } = useLiveGroup(code)
  const position = useSignal<GroupPosition | undefined>(undefined)
  const round = useSignal(0)
  const userid = userId.value
  const { balance, positions } = account.value
  const isExclusive = group?.kind === 'exclusive'
  const held = heldIn(group, positions)
  useEffect(() => {
    if (!isExclusive || userid === undefined || balance === undefined) return
    let isOver = false
    exchange.groups.fetchPosition(code, { userid }).then(
      own => {
        if (!isOver) position.value = own
      },
      // The next change of the contracts asks again.
      () => {},
    )
    return () => {
      isOver = true
    }
  }, [code, userid, balance === undefined, held, isExclusive, round.value])
  return {
    group,
    position: userid === undefined ? undefined : position.value,
    fault,
    again: () => {
      round.value++
    },
  }
}

function useLiveGroup(code: string): Pick<GroupState, 'group' | 'fault'> {
  const fetched = useSignal<EventGroup | undefined>(undefined)
  const prices = useSignal<GroupPrices | undefined>(undefined)
  const fault = useSignal('')
  useEffect(() => {
    let isOver = false
    let isFirst = true
    const load = async () => {
      if (document.hidden && fetched.peek() !== undefined) return
      try {
        const found = await exchange.groups.fetchGroup(code)
        if (!isOver) fetched.value = found
        if (!isOver) fault.value = ''
      } catch (error) {
        if (!isOver && fetched.peek() === undefined) fault.value = errorText(error)
      }
    }
    void load()
    const figures = pacedTask(load, { soonMs: pageSpread(), gapMs: FIGURES_GAP_MS })
    const tellStatus = statusTeller()
    const onUpdate = ({ outcomes }: GroupPrices) => {
      for (const outcome of outcomes) tellStatus(outcome)
      // The first prices come beside the group itself.
      if (!isFirst) figures.ask()
      isFirst = false
      frame.touch()
    }
    const uncount = countWatch()
    const watch = exchange.groups.watch(code, { onUpdate, onError: () => void load() })
    const frame = frameSignal(() => watch.state)
    const stop = frame.value.subscribe(now => {
      prices.value = now
    })
    document.addEventListener('visibilitychange', figures.ask)
    const timer = setInterval(figures.ask, REFRESH_MS)
    return () => {
      isOver = true
      uncount()
      stop()
      frame.stop()
      watch.close()
      figures.stop()
      document.removeEventListener('visibilitychange', figures.ask)
      clearInterval(timer)
      prices.value = undefined
    }
  }, [code])
  const group = fetched.value
  return { group: group && withPrices(group, prices.value), fault: fault.value }
}

/** Returns a group with the prices of now. */
function withPrices(group: EventGroup, prices: GroupPrices | undefined): EventGroup {
  if (prices === undefined) return group
  const now = new Map(prices.outcomes.map(outcome => [outcome.event_id, outcome]))
  return {
    ...group,
    outcomes: group.outcomes.map(outcome => withPrice(outcome, now.get(outcome.event_id))),
  }
}

/** A price that is newer than the change of the day moves it as far. */
function withPrice(outcome: GroupOutcome, now: OutcomePrices | undefined): GroupOutcome {
  const { last_price, change_24h } = outcome
  if (now === undefined || last_price === null || change_24h === null) return { ...outcome, ...now }
  return { ...outcome, ...now, change_24h: change_24h + (now.last_price ?? last_price) - last_price }
}

/** Returns what is held of the outcomes without a result, as a text that changes with it. */
function heldIn(group: EventGroup | undefined, positions: readonly Position[] = []): string {
  const live = new Set(
    group?.outcomes.filter(({ outcome }) => outcome === null).map(({ event_id }) => event_id),
  )
  return JSON.stringify([[...live], positions.filter(({ event_id }) => live.has(event_id))])
}
