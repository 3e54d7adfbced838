import { readFileSync } from 'node:fs'

/** The version, where the bundle has it as a constant. */
declare const RAAY_VERSION: string | undefined

/** Returns the version in package.json. */
export function packageVersion(): string {
  if (typeof RAAY_VERSION === 'string') return RAAY_VERSION
  const text = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}
