/** Returns a plain copy of an error: SQLite's own error class loses its message across threads. */
export function plainError(error: unknown): Error {
  if (!(error instanceof Error)) return new Error(String(error))
  const plain = new Error(error.message)
  if (error.stack !== undefined) plain.stack = error.stack
  return plain
}
