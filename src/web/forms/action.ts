import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { RaayError } from '../../client/client.js'
import type { FieldFault } from './field-faults.js'
import { faultOf } from './field-faults.js'

export interface Action {
  readonly isBusy: boolean
  /** Why the last attempt failed, if it did. */
  readonly fault: FieldFault | undefined
  /** Shows an error and focuses its field. */
  readonly refuse: (fault: FieldFault) => void
  readonly forget: () => void
  /** Runs one action at a time and shows its refusal. */
  readonly run: (work: () => Promise<void>) => Promise<void>
}

/**
 * Runs an action of a form and keeps its state.
 * @param faultIn what an error of the exchange means here; by default it names one of the fields, or none
 * @param onError called with each error before it is shown
 */
export function useAction(
  fields: readonly string[] = [],
  faultIn: (error: RaayError) => FieldFault = error => faultOf(error, fields),
  onError: (error: RaayError) => void = () => {},
): Action {
  const isBusy = useSignal(false)
  const fault = useSignal<FieldFault | undefined>(undefined)
  const refuse = (found: FieldFault) => {
    fault.value = found
  }
  const forget = () => {
    fault.value = undefined
  }
  useEffect(() => {
    const field = fault.value?.field
    const input = field === undefined ? null : document.getElementById(`field-${field}`)
    input?.focus()
    // An error goes as soon as its field is corrected.
    input?.addEventListener('input', forget, { once: true })
    return () => input?.removeEventListener('input', forget)
  }, [fault.value])
  const run = async (work: () => Promise<void>) => {
    if (isBusy.peek()) return
    isBusy.value = true
    fault.value = undefined
    try {
      await work()
    } catch (error) {
      const failure = failureOf(error)
      onError(failure)
      refuse(faultIn(failure))
    }
    isBusy.value = false
  }
  return { isBusy: isBusy.value, fault: fault.value, refuse, forget, run }
}

/** Returns an error of the exchange as it is, and one of the page itself as 500. */
export function failureOf(error: unknown): RaayError {
  return error instanceof RaayError ? error : new RaayError(500, 'Page', String(error))
}
