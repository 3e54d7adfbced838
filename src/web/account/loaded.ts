import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { RaayError } from '../../client/raay-error.js'
import { callAuth } from '../auth/auth-client.js'
import { loadSession } from '../auth/auth-session.js'
import { failureOf } from '../forms/action.js'
import { errorText } from '../kit/error-text.js'

export interface Loaded<Value> {
  /** Undefined until it is loaded. */
  readonly value: Value | undefined
  /** Why it could not be loaded; empty if it was. */
  readonly fault: string
  readonly again: () => void
}

/** Loads a list of the account, at once and again after changes. */
export function useLoaded<Value>(path: string): Loaded<Value> {
  const state = useSignal<Pick<Loaded<Value>, 'value' | 'fault'>>({ value: undefined, fault: '' })
  const round = useSignal(0)
  useEffect(() => {
    let isOver = false
    callAuth<Value>('GET', path).then(
      value => {
        if (!isOver) state.value = { value, fault: '' }
      },
      error => {
        if (!isOver) state.value = { ...state.peek(), fault: errorText(error) }
        checkSession(failureOf(error))
      },
    )
    return () => {
      isOver = true
    }
  }, [path, round.value])
  return {
    ...state.value,
    again: () => {
      round.value++
    },
  }
}

/** Asks again who is signed in, after a refusal for lack of a session. */
export function checkSession({ code }: RaayError): void {
  if (code === 401) void loadSession().catch(() => {})
}
