/**
 * A broken invariant: a bug or a damaged state. Only the process's top-level handler catches it.
 */
export class BrokenInvariant extends Error {
  override readonly name = 'BrokenInvariant'
}

/**
 * Throws unless the condition holds. The message states the rule, not its violation. One with details is a
 * function: a text would be put together at every call.
 */
export function assert(condition: boolean, rule: string | (() => string)): asserts condition {
  if (!condition) throw new BrokenInvariant(`broken: ${typeof rule === 'string' ? rule : rule()}`)
}

/** Throws; for the `default` of an exhaustive switch. */
export function unreachable(value: never): never {
  throw new BrokenInvariant(`broken: every case is handled, including ${JSON.stringify(value)}`)
}
