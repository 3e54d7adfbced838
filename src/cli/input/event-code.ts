import { UsageError } from '../exit-errors.js'

const EVENT_CODE = /^\d{7}$/

/** Returns the code of an event as given. Throws UsageError unless it has seven digits. */
export function eventCode(text: string): string {
  if (EVENT_CODE.test(text)) return text
  throw new UsageError(`"${text}" is not a valid event code: give seven digits, such as 1000001`)
}
