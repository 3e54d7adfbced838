import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { EventGroup, GroupPosition } from '../../../client/shapes.js'
import { errorText } from '../../kit/error-text.js'
import { account } from '../account.js'
import { exchange } from '../exchange-client.js'
import { userId } from '../session.js'

const REFRESH_MS = 3000

interface GroupState {
  readonly group: EventGroup | undefined
  /** Of an exclusive group, for someone who trades. */
  readonly position: GroupPosition | undefined
  readonly fault: string
  readonly again: () => void
}

/** Fetches a group and the own position in it, again while the page is looked at and after changes. */
export function useGroup(code: string): GroupState {
  const group = useSignal<EventGroup | undefined>(undefined)
  const position = useSignal<GroupPosition | undefined>(undefined)
  const fault = useSignal('')
  const round = useSignal(0)
  const userid = userId.value
  const { balance } = account.value
  useEffect(() => {
    let isOver = false
    const load = async () => {
      if (document.hidden && group.peek() !== undefined) return
      try {
        const found = await exchange.groups.fetchGroup(code)
        if (isOver) return
        group.value = found
        fault.value = ''
        if (found.kind !== 'exclusive' || userid === undefined || balance === undefined) return
        const own = await exchange.groups.fetchPosition(code, { userid })
        if (!isOver) position.value = own
      } catch (error) {
        if (!isOver && group.peek() === undefined) fault.value = errorText(error)
      }
    }
    void load()
    const timer = setInterval(() => void load(), REFRESH_MS)
    return () => {
      isOver = true
      clearInterval(timer)
    }
  }, [code, userid, balance === undefined, round.value])
  return {
    group: group.value,
    position: userid === undefined ? undefined : position.value,
    fault: fault.value,
    again: () => {
      round.value++
    },
  }
}
