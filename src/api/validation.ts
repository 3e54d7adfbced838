import { z } from 'zod'
import { ApiError } from './api-error.js'
import { nearestOf } from './did-you-mean.js'
import { kindOf, shown } from './wrong-value.js'

const SHOWN_LENGTH_MAX = 40

/** Words the two general faults (specification 4.3); a field's own message takes precedence. */
z.config({
  customError: issue => {
    if (issue.code === 'invalid_value') {
      if (issue.input === undefined) return 'Required'
      const expected = issue.values.map(value => `'${String(value)}'`).join(' | ')
      return `Invalid enum value. Expected ${expected}, received '${shown(issue.input)}'`
    }
    if (issue.code === 'invalid_type' || issue.code === 'invalid_union') {
      if (issue.input === undefined) return 'Required'
      const expected = issue.code === 'invalid_type' ? issue.expected : 'string'
      return `Expected ${expected}, received ${kindOf(issue.input)}`
    }
    return undefined
  },
})

/** Text that the database returns unchanged: no lone surrogates, and no NUL, which ends a text in SQLite. */
export const storedText = z
  .string()
  .refine(
    text => !text.includes('\0') && !/\p{Surrogate}/u.test(text),
    'Expected text without lone surrogates or NUL',
  )

/** A moment, with a zone (specification 4.1). */
export const dateTime = z.iso.datetime({
  offset: true,
  error: issue =>
    typeof issue.input === 'string'
      ? 'Expected an ISO 8601 date-time like 2026-01-31T18:30:00.000Z'
      : undefined,
})

/**
 * Validates a client's input. Throws 422 `<field>: <reason>` for the first field at fault, in the order in
 * which the schema, and so the specification, lists the fields.
 */
export function validate<Schema extends z.ZodObject>(schema: Schema, input: unknown): z.output<Schema> {
  const result = schema.safeParse(input)
  if (result.success) return result.data
  const fields = Object.keys(schema.shape)
  const rank = (issue: z.core.$ZodIssue) => fields.indexOf(String(issue.path[0]))
  const [first] = result.error.issues.sort((a, b) => rank(a) - rank(b))
  if (first?.code === 'unrecognized_keys' && first.path.length === 0) {
    throw new ApiError(422, unknownFault('field', first.keys[0] ?? '', fields))
  }
  throw new ApiError(422, `${nameOf(first?.path ?? [])}: ${first?.message}`)
}

/** Returns the field at fault: of an object in a list with its place there, such as `quotes.0.price`. */
function nameOf(path: readonly PropertyKey[]): string {
  return path.length > 2 ? path.map(String).join('.') : String(path[0] ?? 'body')
}

/** Returns the refusal of an unknown field or parameter, with the known ones and the nearest of them. */
export function unknownFault(kind: 'field' | 'parameter', unknown: string, known: readonly string[]): string {
  const shown = unknown.slice(0, SHOWN_LENGTH_MAX)
  if (known.length === 0) return `${shown}: Unknown ${kind}, this route takes none`
  const nearest = nearestOf(shown, known)
  const meant = nearest === undefined ? '' : `; did you mean ${nearest}?`
  return `${shown}: Unknown ${kind}, known are ${known.join(', ')}${meant}`
}
