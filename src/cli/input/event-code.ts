import { ConfigError } from '../../server/config.js'

const EVENT_CODE = /^\d{7}$/

/** The code of an event as it was written. Throws ConfigError where it is none. */
export function eventCode(text: string): string {
  if (EVENT_CODE.test(text)) return text
  throw new ConfigError(`"${text}" is no event code: give seven digits, such as 1000001`)
}
