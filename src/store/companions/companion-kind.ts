import type { Companion } from '../files/companion-files.js'
import type { ChainRules } from './decision-chain.js'

/** A companion of an exchange: a database of its own, with migrations of its own. */
export interface CompanionKind {
  readonly companion: Companion
  /** For messages, such as "the accounts". */
  readonly name: string
  /** For the message about a foreign file, such as "a file of accounts of Raay". */
  readonly description: string
  readonly applicationId: number
  /**
   * The n-th takes a file from version n − 1 to n (`PRAGMA user_version`), and sets nothing but tables. A
   * released one is never changed.
   */
  readonly migrations: readonly string[]
  /** True if each commit waits for the disk. */
  readonly isSynced: boolean
  /** The rows that are decisions, if its changes are chained. */
  readonly chain?: ChainRules
}

/** A migration of every companion creates this table: the id of the exchange, 0 for none yet. */
export const EXCHANGE_TABLE = `
  CREATE TABLE exchange (id INTEGER NOT NULL) STRICT;
  INSERT INTO exchange VALUES (0);
  `
