/** The command line was used wrongly; the message says how to use it. Exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** The exchange refused, could not be reached, or something on this machine failed. Exit code 1. */
export class Failure extends Error {
  override readonly name = 'Failure'
}
