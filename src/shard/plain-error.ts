/** The error as one that crosses the thread border with its message: SQLite's own arrive without theirs. */
export function plainError(error: unknown): Error {
  if (!(error instanceof Error)) return new Error(String(error))
  const plain = new Error(error.message)
  if (error.stack !== undefined) plain.stack = error.stack
  return plain
}
