import type { Signal } from '@preact/signals'
import { batch, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { errorText } from '../../../kit/error-text.js'
import { account } from '../../account.js'
import type { List } from './list.js'

interface LoadedRows<Row> {
  /** Undefined while they are being loaded for the first time. */
  readonly rows: readonly Row[] | undefined
  /** A sentence about the last failure. */
  readonly fault: Signal<string>
}

/** Loads the rows of a list, again after each change of the user’s money, orders or wishes. */
export function useRows<Row>(
  list: List<Row>,
  name: string,
  from: number | undefined,
  limit: number,
): LoadedRows<Row> {
  const rows = useSignal<readonly Row[] | undefined>(undefined)
  const fault = useSignal('')
  const { balance, orders, positions } = account.value
  useEffect(() => {
    // A user without trades has no account and no history.
    if (balance === undefined) return
    let isOver = false
    const show = (found: readonly Row[]) => {
      if (isOver) return
      batch(() => {
        rows.value = found
        fault.value = ''
      })
    }
    const fail = (error: unknown) => {
      if (!isOver) fault.value = errorText(error)
    }
    list.load(name, from, limit).then(show, fail)
    return () => {
      isOver = true
    }
  }, [from, limit, balance, orders?.length])
  const isNew = balance === undefined && positions !== undefined
  return { rows: isNew ? [] : rows.value, fault }
}
