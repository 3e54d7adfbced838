import { signal } from '@preact/signals'

/** How many things the page follows: with none there is no connection, and none is missed. */
export const watching = signal(0)

/** Counts one thing more; answers how to take it back, once. */
export function countWatch(): () => void {
  watching.value = watching.peek() + 1
  let isCounted = true
  return () => {
    if (isCounted) watching.value = watching.peek() - 1
    isCounted = false
  }
}
