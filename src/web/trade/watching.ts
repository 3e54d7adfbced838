import { signal } from '@preact/signals'

/** The number of live subscriptions; with none, the page needs no connection. */
export const watching = signal(0)

/** Counts one more subscription; returns a function that removes it once. */
export function countWatch(): () => void {
  watching.value = watching.peek() + 1
  let isCounted = true
  return () => {
    if (isCounted) watching.value = watching.peek() - 1
    isCounted = false
  }
}
