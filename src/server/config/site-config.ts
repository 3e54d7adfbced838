import type { SettingValues } from './setting-values.js'
import type { SiteLogo } from './site-types.js'

/** The look, the language and the time zone of the pages. */
export interface SiteConfig {
  readonly name: string
  /** `#rrggbb`. */
  readonly color: string
  readonly logo: SiteLogo | undefined
  readonly contact: string | undefined
  readonly timeZone: string
  readonly language: 'en' | 'hi'
}

/** Reads the settings of the pages. Throws ConfigError. */
export function readSite(values: SettingValues): SiteConfig {
  return {
    name: values.read('site-name'),
    color: values.read('site-color'),
    logo: values.read('site-logo'),
    contact: values.read('site-contact'),
    timeZone: values.read('time-zone'),
    language: values.read('language'),
  }
}
