/** The ways to show notices beside toasts, which suit a place; remembered in this browser. */
export interface NoticeWays {
  /** Notifications of the browser, while the page is hidden. */
  readonly browser: boolean
  readonly sound: boolean
}

const DEFAULTS: NoticeWays = { browser: false, sound: false }

/** Reads stored ways; what is missing or wrong has its default. */
export function waysIn(text: string | undefined): NoticeWays {
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
