/** What a wrong value is, in the words of an error: `Expected number, received string`. */
export function kindOf(input: unknown): string {
  if (input === null) return 'null'
  if (Array.isArray(input)) return 'array'
  if (typeof input === 'number' && !Number.isFinite(input)) return 'infinity'
  return typeof input
}

/** A wrong value as an error repeats it. Objects are named only: one nested too deep has no JSON. */
export function shown(input: unknown): string {
  return typeof input === 'object' ? kindOf(input) : String(input)
}
