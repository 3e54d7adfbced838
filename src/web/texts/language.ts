import type { Language } from './languages.js'
import { LOCALES } from './languages.js'

/** The root of the document: `first-look` has noted the language there, and the server its settings. */
interface Root {
  readonly lang: string
  readonly dataset: Readonly<Record<string, string | undefined>>
}

const TIME_ZONE = 'Asia/Kolkata'

const { document } = globalThis as unknown as { readonly document?: { readonly documentElement: Root } }
const root = document?.documentElement

/** True if this page is in Hindi, else it is in English. */
export const isHindi = root?.lang.startsWith('hi') === true

/** The locale of this page, for `Intl`. */
export const locale = LOCALES[(isHindi ? 'hi' : 'en') satisfies Language]

/** The time zone of the instance, in which all times are shown. */
export const timeZone = knownZone(root?.dataset.timeZone)

/** Returns the zone, or India's if it is not given or this browser does not know it. */
function knownZone(zone = TIME_ZONE): string {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone })
    return zone
  } catch {
    return TIME_ZONE
  }
}
