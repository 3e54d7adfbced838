import type { Companion } from '../files/companion-files.js'
import type { Schema } from '../schema.js'
import type { ChainRules } from './decision-chain.js'

/** A companion of an exchange: a database of its own, with a schema of its own. */
export interface CompanionKind {
  readonly companion: Companion
  /** For messages, such as "the accounts". */
  readonly name: string
  /** For the message about a foreign file, such as "a file of accounts of Raay". */
  readonly description: string
  readonly applicationId: number
  readonly schema: Schema
  /** True if each commit waits for the disk. */
  readonly isSynced: boolean
  /** The rows that are decisions, if its changes are chained. */
  readonly chain?: ChainRules
}

/** A table of every companion: the id of the exchange, 0 for none yet. */
export const EXCHANGE_TABLE = `
  CREATE TABLE exchange (id INTEGER NOT NULL) STRICT;
  INSERT INTO exchange VALUES (0);
  `
