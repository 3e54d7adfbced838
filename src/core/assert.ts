/**
 * A rule that always holds did not: a bug or a damaged state. Nobody catches it but the process's last door.
 */
export class BrokenInvariant extends Error {
  override readonly name = 'BrokenInvariant'
}

/** States a rule that holds here. The message is the rule, not its violation. */
export function assert(condition: boolean, rule: string): asserts condition {
  if (!condition) throw new BrokenInvariant(`broken: ${rule}`)
}

/** For the `default` of a switch that has named every case. */
export function unreachable(value: never): never {
  throw new BrokenInvariant(`broken: every case is named, also ${JSON.stringify(value)}`)
}
