import type { NoticeGroup } from './notice.js'

/** The groups of notices that a user wants, and the ways to show them; remembered in this browser. */
export interface NoticeSettings extends Readonly<Record<NoticeGroup, boolean>> {
  /** Notifications of the browser, while the page is hidden. */
  readonly browser: boolean
  readonly sound: boolean
}

const DEFAULTS: NoticeSettings = { fills: true, endings: true, results: true, browser: false, sound: false }

/** Reads stored settings; what is missing or no setting has its default. */
export function settingsIn(text: string | undefined): NoticeSettings {
  try {
    const stored = JSON.parse(text ?? '{}') as Readonly<Record<string, unknown>>
    const known = Object.entries(stored).filter(
      ([name, value]) => name in DEFAULTS && typeof value === 'boolean',
    )
    return { ...DEFAULTS, ...Object.fromEntries(known) }
  } catch {
    return DEFAULTS
  }
}
