/** Prefix of the log field that has the value before an edit. */
const BEFORE = 'before_'

type Fields = Readonly<Record<string, string | number | null | undefined>>

/** Returns the fields of an edit, and for those that it changes what they were before. */
export function withBefore(edit: Fields, event: Readonly<Record<string, unknown>>): Fields {
  const all: Record<string, string | number | null | undefined> = { ...edit }
  for (const [name, value] of Object.entries(edit)) {
    const before = event[name]
    if (typeof before !== 'string' && typeof before !== 'number') continue
    if (!isSame(value, before)) all[`${BEFORE}${name}`] = before
  }
  return all
}

/** Separates the fields of a logged request from what they were before. */
export function apart(logged: Readonly<Record<string, unknown>>): {
  readonly fields: Readonly<Record<string, unknown>>
  readonly before: Readonly<Record<string, unknown>>
} {
  const entries = Object.entries(logged)
  const isBefore = ([name]: readonly [string, unknown]) => name.startsWith(BEFORE)
  return {
    fields: Object.fromEntries(entries.filter(entry => !isBefore(entry))),
    before: Object.fromEntries(
      entries.filter(isBefore).map(([name, value]) => [name.slice(BEFORE.length), value]),
    ),
  }
}

/** Compares values; a time may be written in several ways. */
function isSame(value: unknown, before: string | number): boolean {
  if (value === before) return true
  if (typeof value !== 'string' || typeof before !== 'string' || !/^\d{4}-\d\d-\d\dT/.test(before))
    return false
  return Date.parse(value) === Date.parse(before)
}
