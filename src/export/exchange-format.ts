import { createHash } from 'node:crypto'

/** The first line of an exported exchange. */
export interface ExchangeHeader {
  /** The version of the file's format. */
  readonly format: number
  /** The exchange that it is of; an import has an id of its own. */
  readonly exchange: string
  /** The versions of the program and of its tables. */
  readonly raay: string
  readonly schema: number
  /** The last batch, and so the number of batches. */
  readonly sequence: number
}

/** Batches of format 1 have all commands as JSON; those of 2 may have the forms of `command-text.ts`. */
export const EXCHANGE_FORMAT = 2
/** Stands before the commands of a batch, which end its line. */
export const COMMANDS = ',"commands":'

export const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
