import type { ReadonlySignal } from '@preact/signals'
import { signal } from '@preact/signals'

/** A value that may change more often than a screen can show: it is read once a frame at most. */
export interface FrameSignal<Value> {
  readonly value: ReadonlySignal<Value | undefined>
  /** There is something new. */
  touch(): void
  /** No frame reads it any more. */
  stop(): void
}

/** @param read the value as it is now; undefined before the first touch */
export function frameSignal<Value>(read: () => Value): FrameSignal<Value> {
  const value = signal<Value | undefined>(undefined)
  let frame: number | undefined
  return {
    value,
    touch: () => {
      frame ??= requestAnimationFrame(() => {
        frame = undefined
        value.value = read()
      })
    },
    stop: () => {
      if (frame !== undefined) cancelAnimationFrame(frame)
    },
  }
}
