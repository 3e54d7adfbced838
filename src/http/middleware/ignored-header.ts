import { IGNORED_HEADER, ignoredNames } from '../../api/unknown-fields.js'

/** Returns the header that names ignored fields; none if there are none. */
export function ignoredHeader(ignored: readonly string[]): Readonly<Record<string, string>> | undefined {
  if (ignored.length === 0) return undefined
  const names = ignoredNames(ignored)
  return names.length === 0 ? undefined : { [IGNORED_HEADER]: names.join(', ') }
}
