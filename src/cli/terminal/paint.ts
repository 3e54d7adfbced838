import { styleText } from 'node:util'

type Format = Parameters<typeof styleText>[0]

/** Text for stdout in a colour, where that shows colours: on a terminal; NO_COLOR and FORCE_COLOR win. */
export function paint(format: Format, text: string): string {
  return styleText(format, text)
}

/** Whether `paint` paints. */
export function isPainting(): boolean {
  return paint('red', 'x') !== 'x'
}
