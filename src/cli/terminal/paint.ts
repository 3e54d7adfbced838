import { styleText } from 'node:util'

type Format = Parameters<typeof styleText>[0]

/** Colours text for stdout if that is a terminal; NO_COLOR and FORCE_COLOR take precedence. */
export function paint(format: Format, text: string): string {
  return styleText(format, text)
}

/** Returns whether `paint` adds colours. */
export function isPainting(): boolean {
  return paint('red', 'x') !== 'x'
}
