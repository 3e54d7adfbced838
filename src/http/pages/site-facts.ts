import type { Announcement } from '../../api/site/announcement-shape.js'

/** A picture as it is served. */
export interface Picture {
  readonly type: string
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** The name and the look of this exchange, as its pages, icons and programs show them. */
export interface SiteFacts {
  readonly name: string
  /** `#rrggbb`, readable on white. */
  readonly color: string
  /** Undefined for Raay's mark in the colour of the site. */
  readonly logo: { readonly emoji: string } | Picture | undefined
  /** How users reach the operator, in the operator's words. */
  readonly contact?: string | undefined
  /** The IANA name of the time zone of all times on the pages. */
  readonly timeZone: string
  /** For browsers that prefer none of the languages of the pages. */
  readonly language: 'en' | 'hi'
  /** The message on top of the pages, if there is one at present. */
  readonly announcement?: Announcement
  /** Set where visitors see nothing but a way to sign in. */
  readonly isMembersOnly?: true
}

export const RAAY: SiteFacts = {
  name: 'Raay',
  color: '#1b4fd0',
  logo: undefined,
  timeZone: 'Asia/Kolkata',
  language: 'en',
}

/** Returns the facts as `GET /` gives them. */
export function factsView({ name, color, logo, contact, timeZone, language, announcement }: SiteFacts) {
  return {
    name,
    color,
    logo: logoAddress(logo),
    time_zone: timeZone,
    language,
    ...(contact !== undefined && { contact }),
    ...(announcement !== undefined && { announcement }),
  }
}

/** Returns an emoji, or the address of the logo. */
export function logoAddress(logo: SiteFacts['logo']): string {
  if (logo === undefined) return '/icon.svg'
  return 'emoji' in logo ? logo.emoji : '/logo'
}
