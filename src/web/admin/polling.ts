import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { RaayError } from '../../client/client.js'
import { recordOutcome } from './admin-access.js'

interface Polled<Value> {
  /** The last result; undefined before the first. */
  readonly value: Value | undefined
  /** Why the last request failed, if it did. */
  readonly error: RaayError | undefined
  /** Reloads at once. */
  readonly again: () => void
}

const RETRY_MS = 1500

/**
 * Polls the exchange with a pause after each result, while the page is visible.
 * @param key identifies the request; a change reloads at once
 */
export function usePolled<Value>(load: () => Promise<Value>, pauseMs: number, key = ''): Polled<Value> {
  const state = useSignal<Pick<Polled<Value>, 'value' | 'error'>>({ value: undefined, error: undefined })
  const round = useSignal(0)
  useEffect(() => {
    let isOver = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const ask = async () => {
      if (document.hidden && state.peek().value !== undefined) {
        timer = setTimeout(ask, pauseMs)
        return
      }
      try {
        const value = await load()
        if (isOver) return
        recordOutcome()
        state.value = { value, error: undefined }
        timer = setTimeout(ask, pauseMs)
      } catch (error) {
        if (isOver) return
        state.value = { value: state.peek().value, error: recordOutcome(error) }
        timer = setTimeout(ask, Math.min(RETRY_MS, pauseMs))
      }
    }
    void ask()
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [key, round.value])
  const again = () => {
    round.value++
  }
  return { ...state.value, again }
}
