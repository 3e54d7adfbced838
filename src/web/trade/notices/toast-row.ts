import type { Notice } from './notice.js'

/** Toasts on the screen at once; what else happens meanwhile is counted. */
const TOASTS_MAX = 3

/** The toasts on the screen. */
export interface ToastRow {
  /** Oldest first. */
  readonly shown: readonly Notice[]
  /** How many others gave way to these. */
  readonly more: number
}

/** Adds a toast. The oldest give way, and are counted. */
export function withToast({ shown, more }: ToastRow, notice: Notice): ToastRow {
  const all = [...shown, notice]
  const over = Math.max(0, all.length - TOASTS_MAX)
  return { shown: all.slice(over), more: more + over }
}

/** Removes a toast; without any, nothing is counted. */
export function withoutToast({ shown, more }: ToastRow, seq: number): ToastRow {
  const left = shown.filter(notice => notice.seq !== seq)
  return { shown: left, more: left.length === 0 ? 0 : more }
}
