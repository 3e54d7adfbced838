import type { z } from 'zod'
import { ApiError } from './api-error.js'

/** Header that names the fields of a body that were ignored. */
export const IGNORED_HEADER = 'Raay-Ignored'

export const IGNORED = {
  description: 'Unknown fields of the body, which had no effect: at most 5',
  isOptional: true,
} as const

const IGNORED_NAMES_MAX = 5
const IGNORED_BYTES_MAX = 200
/** The characters of a token (RFC 9110, 5.6.2): all else could not stand in a header. */
const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/
const SHOWN_LENGTH_MAX = 40

const NONE: readonly string[] = []

/** Options of other exchanges: ignoring one would place another order than was meant. */
const ELSEWHERE: Readonly<Record<string, string>> = { stp: 'self_trade_prevention' }
const REHEARSALS: readonly string[] = ['dry_run', 'validate_only', 'test']
const ALWAYS_REAL = 'Unknown field. Requests are always carried out, never only tried'

/** The fields of a schema, and what is refused because it was probably meant for one of them. */
interface KnownFields {
  readonly names: ReadonlySet<string>
  /** The refusal of each near-miss, by its name in lower case without underscores. */
  readonly refusals: ReadonlyMap<string, string>
}

const known = new WeakMap<z.ZodObject, KnownFields>()

/**
 * Returns the fields of a body that a route of the specification ignores, since every client may send more
 * than it asks for. Throws 422 for a near-miss of one of Raay's optional fields: ignoring `postOnly` would
 * place an order that may take.
 */
export function ignoredFields(schema: z.ZodObject, body: unknown): readonly string[] {
  const unknown = unknownIn(schema, body)
  for (const name of unknown) {
    const refusal = knownFields(schema).refusals.get(plain(name))
    if (refusal !== undefined) throw new ApiError(422, `${name.slice(0, SHOWN_LENGTH_MAX)}: ${refusal}`)
  }
  return unknown
}

/** Returns the fields that are ignored in any order of a batch; a near-miss is refused with its own order. */
export function ignoredInAny(schema: z.ZodObject, bodies: readonly unknown[]): readonly string[] {
  const ignored = new Set<string>()
  for (const body of bodies) for (const name of unknownIn(schema, body)) ignored.add(name)
  return [...ignored]
}

/** Returns the first ignored names that fit into the header. */
export function ignoredNames(ignored: readonly string[]): string[] {
  const names: string[] = []
  for (const name of ignored) {
    const fits = [...names, name].join(', ').length <= IGNORED_BYTES_MAX
    if (TOKEN.test(name) && fits) names.push(name)
    if (names.length === IGNORED_NAMES_MAX) break
  }
  return names
}

/** Looks at each name once and, for a body without unknown ones, makes nothing. */
function unknownIn(schema: z.ZodObject, body: unknown): readonly string[] {
  if (typeof body !== 'object' || body === null) return NONE
  const { names } = knownFields(schema)
  let unknown: string[] | undefined
  for (const name in body) {
    if (names.has(name)) continue
    unknown ??= []
    unknown.push(name)
  }
  return unknown ?? NONE
}

function knownFields(schema: z.ZodObject): KnownFields {
  const found = known.get(schema) ?? fieldsOf(schema)
  known.set(schema, found)
  return found
}

function fieldsOf({ shape }: z.ZodObject): KnownFields {
  const names = new Set(Object.keys(shape))
  const refusals = new Map(REHEARSALS.map(name => [plain(name), ALWAYS_REAL]))
  const meant = (name: string) => `Unknown field. Did you mean \`${name}\`?`
  for (const [name, field] of Object.entries(shape)) {
    if ((field as z.ZodType).safeParse(undefined).success) refusals.set(plain(name), meant(name))
  }
  for (const [name, own] of Object.entries(ELSEWHERE)) if (names.has(own)) refusals.set(name, meant(own))
  return { names, refusals }
}

function plain(name: string): string {
  return name.replaceAll('_', '').toLowerCase()
}
