import type { Row } from '../column.js'

/** Writes rows as bytes. Everything that it must know to go on later is in its state. */
export interface FormatWriter {
  /** Returns the bytes before the first row. */
  begin(): Uint8Array
  /** Returns the bytes of some rows, at least one. */
  rows(rows: readonly Row[]): Uint8Array
  /** Returns the bytes behind the last row. */
  end(): Uint8Array
  /** Returns plain JSON from which another writer goes on. */
  state(): unknown
}
