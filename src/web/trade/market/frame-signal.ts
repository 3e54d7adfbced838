import type { ReadonlySignal } from '@preact/signals'
import { signal } from '@preact/signals'

/** A fast-changing value, read at most once a frame. */
export interface FrameSignal<Value> {
  readonly value: ReadonlySignal<Value | undefined>
  /** Schedules a read in the next frame. */
  touch(): void
  /** Cancels a scheduled read. */
  stop(): void
}

/** @param read returns the current value; the signal is undefined before the first touch */
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
