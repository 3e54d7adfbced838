import { isPassing } from '../store/database.js'

/** Nothing can be verified; the message gives the reason and a remedy. */
export class VerifyError extends Error {
  override readonly name = 'VerifyError'
  /** The code of an error of the system, which says nothing about the files. */
  readonly code: string | undefined

  constructor(message: string, code?: string) {
    super(message)
    this.code = code
  }
}

/** Returns the error for what could not be read; keeps the code of an error that may pass. */
export function unreadable(what: string, error: unknown): VerifyError {
  const code = isPassing(error) ? String((error as { readonly code: unknown }).code) : undefined
  return new VerifyError(`${what} cannot be read: ${error instanceof Error ? error.message : error}`, code)
}
