import type { Database } from './sqlite.js'

/** Returns a text in the form in which its spellings are equal, whatever their case and composition. */
export function folded(text: string): string {
  return text.normalize('NFKC').toLowerCase()
}

/**
 * Adds `folded` to the functions of a connection: `lower` of SQLite knows the capitals of ASCII only, and no
 * tokenizer composes.
 */
export function addFolded(database: Database): void {
  database.function('folded', { deterministic: true }, text => folded(String(text)))
}
