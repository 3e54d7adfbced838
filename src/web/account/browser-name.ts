import { t } from '../texts/account.js'

/** Marks of browsers and systems in a User-Agent, the special ones before those that they claim to be. */
const BROWSERS = [
  [/Edg(?:e|A|iOS)?\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|CriOS\//, 'Chrome'],
  [/Safari\//, 'Safari'],
] as const
const SYSTEMS = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/CrOS/, 'ChromeOS'],
  [/Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
] as const

/** Names the browser of a User-Agent: `Chrome on Android`; an unknown one by its first word. */
export function browserName(userAgent: string): string {
  const browser = nameIn(BROWSERS, userAgent) ?? (/^[\w.-]+/.exec(userAgent)?.[0] || t.unknownBrowser)
  const system = nameIn(SYSTEMS, userAgent)
  return system === undefined ? browser : t.browserOn(browser, system)
}

function nameIn(marks: readonly (readonly [mark: RegExp, name: string])[], text: string): string | undefined {
  return marks.find(([mark]) => mark.test(text))?.[1]
}
