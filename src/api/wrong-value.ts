/** Names the type of a wrong value as errors do: `Expected number, received string`. */
export function kindOf(input: unknown): string {
  if (input === null) return 'null'
  if (Array.isArray(input)) return 'array'
  if (typeof input === 'number' && !Number.isFinite(input)) return 'infinity'
  return typeof input
}

/**
 * Returns a wrong value as an error repeats it; objects by name only, since deep nesting cannot be
 * serialized.
 */
export function shown(input: unknown): string {
  return typeof input === 'object' ? kindOf(input) : String(input)
}
