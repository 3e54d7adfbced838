import type { Database } from './database.js'
import { JOURNAL_TABLE } from './journal.js'
import type { Schema } from './schema.js'
import { migrate, newestVersion, schemaVersion, versionRefusal } from './schema.js'
import { TABLES_STEPS } from './tables-steps.js'

/**
 * The tables of an exchange. A step that does more to those of `ARCHIVED_TABLES` than add columns must
 * rewrite the archive, too.
 *
 * Prices are ticks (₹0.01), quantities lots (0.01 contract), money units of ₹0.0001, times milliseconds UTC.
 */
export const TABLES_SCHEMA: Schema = {
  first: 10,
  tables: `
  CREATE TABLE ${JOURNAL_TABLE};

  -- What belongs to a user is written behind what was there before, whoever's that is: kept together by user,
  -- each row would cost a page of its own. So each row knows the user's row before, and the account the last.
  CREATE TABLE accounts (
    number      INTEGER PRIMARY KEY,
    owner       TEXT    NOT NULL UNIQUE,
    cash        INTEGER NOT NULL,
    held        INTEGER NOT NULL,
    last_entry  INTEGER,
    last_market INTEGER,
    last_number INTEGER,
    last_update INTEGER,
    user_seq    INTEGER NOT NULL DEFAULT 0,
    CHECK (number = 1 OR (0 <= held AND held <= cash))
  ) STRICT;
  INSERT INTO accounts (number, owner, cash, held)
    VALUES (1, 'external', 0, 0), (2, 'fees', 0, 0), (3, 'house', 0, 0);

  -- "source_url" is the resolution's, "listed_source_url" the event's own.
  CREATE TABLE markets (
    code              INTEGER PRIMARY KEY,
    id                TEXT    NOT NULL UNIQUE,
    slug              TEXT    NOT NULL UNIQUE,
    title             TEXT    NOT NULL,
    description       TEXT    NOT NULL,
    sot               TEXT    NOT NULL,
    created_at        INTEGER NOT NULL,
    start_at          INTEGER NOT NULL,
    end_at            INTEGER NOT NULL,
    min_bet           INTEGER NOT NULL,
    max_bet           INTEGER NOT NULL,
    capacity          INTEGER NOT NULL,
    payout            INTEGER NOT NULL,
    tick_size         INTEGER NOT NULL,
    escrow            INTEGER NOT NULL UNIQUE,
    status            TEXT    NOT NULL,
    seq               INTEGER NOT NULL,
    trades            INTEGER NOT NULL,
    last_price        INTEGER,
    volume            INTEGER NOT NULL,
    open_pairs        INTEGER NOT NULL CHECK (0 <= open_pairs AND open_pairs <= capacity),
    outcome           TEXT,
    source_url        TEXT,
    note              TEXT,
    resolved_at       INTEGER,
    category          TEXT,
    listed_source_url TEXT
  ) STRICT;
  -- The words of the folded titles (folded.ts), for the search. Marks belong to words: without them a vowel
  -- sign would end one.
  CREATE VIRTUAL TABLE market_words USING fts5 (
    title, content = 'markets', content_rowid = 'code', prefix = '1 2 3',
    tokenize = "unicode61 remove_diacritics 2 categories 'L* M* N* Co'"
  );

  -- "paid" is what a user has put into a market, net: what the fills cost, less what sales and merges brought
  -- back.
  CREATE TABLE positions (
    market     INTEGER NOT NULL,
    account    INTEGER NOT NULL,
    yes        INTEGER NOT NULL,
    no         INTEGER NOT NULL,
    yes_locked INTEGER NOT NULL,
    no_locked  INTEGER NOT NULL,
    paid       INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (market, account),
    CHECK (0 <= yes_locked AND yes_locked <= yes),
    CHECK (0 <= no_locked AND no_locked <= no)
  ) STRICT, WITHOUT ROWID;

  -- "asked" keeps a refused order's price and quantity in the client's own numbers, for they may fit no grid.
  CREATE TABLE orders (
    market          INTEGER NOT NULL,
    number          INTEGER NOT NULL,
    suffix          TEXT    NOT NULL,
    account         INTEGER NOT NULL,
    side            TEXT    NOT NULL,
    outcome         TEXT    NOT NULL,
    order_type      TEXT    NOT NULL,
    self_trade      TEXT    NOT NULL,
    price           INTEGER NOT NULL,
    quantity        INTEGER NOT NULL,
    asked           TEXT,
    covered         INTEGER NOT NULL,
    filled          INTEGER NOT NULL CHECK (filled <= quantity),
    filled_value    INTEGER NOT NULL,
    state           TEXT    NOT NULL,
    reason          TEXT,
    created_at      INTEGER NOT NULL,
    updated_at      INTEGER NOT NULL,
    expires_at      INTEGER,
    time_in_force   TEXT    NOT NULL DEFAULT 'GTC',
    post_only       INTEGER NOT NULL DEFAULT 0,
    reduce_only     INTEGER NOT NULL DEFAULT 0,
    client_key      TEXT,
    previous_market INTEGER,
    previous_number INTEGER,
    PRIMARY KEY (market, number)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX orders_open ON orders (market, number) WHERE state IN ('resting', 'partially_filled');

  CREATE TABLE trades (
    market        INTEGER NOT NULL,
    trade         INTEGER NOT NULL,
    price         INTEGER NOT NULL,
    quantity      INTEGER NOT NULL CHECK (quantity > 0),
    taker_side    TEXT    NOT NULL,
    taker         INTEGER NOT NULL,
    taker_account INTEGER NOT NULL,
    maker         INTEGER NOT NULL,
    maker_account INTEGER NOT NULL,
    at            INTEGER NOT NULL,
    PRIMARY KEY (market, trade)
  ) STRICT, WITHOUT ROWID;

  -- A user's statement: one line for each change of cash, and the cash after it. "sequence" is the journal's.
  CREATE TABLE entries (
    id           INTEGER PRIMARY KEY,
    account      INTEGER NOT NULL,
    previous     INTEGER,
    sequence     INTEGER NOT NULL,
    line         INTEGER NOT NULL,
    at           INTEGER NOT NULL,
    kind         TEXT    NOT NULL,
    change       INTEGER NOT NULL,
    cash         INTEGER NOT NULL CHECK (cash >= 0),
    market       INTEGER,
    order_number INTEGER,
    trade        INTEGER,
    txn_id       TEXT
  ) STRICT;

  CREATE TABLE transfers (
    txn_id    TEXT    PRIMARY KEY,
    account   INTEGER NOT NULL,
    direction TEXT    NOT NULL,
    amount    INTEGER NOT NULL CHECK (amount > 0),
    cash      INTEGER NOT NULL,
    at        INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  -- "paid" is what the user had put in when the market was settled, "payment" what they got then.
  CREATE TABLE settlements (
    account INTEGER NOT NULL,
    market  INTEGER NOT NULL,
    outcome TEXT    NOT NULL,
    yes     INTEGER NOT NULL,
    no      INTEGER NOT NULL,
    paid    INTEGER NOT NULL,
    payment INTEGER NOT NULL,
    at      INTEGER NOT NULL,
    PRIMARY KEY (account, market)
  ) STRICT, WITHOUT ROWID;

  -- What each batch had to tell a user on their private channel; marks at intervals say where a reader may
  -- begin. "user_seq" is that of the row's last message, "entry" the user's last line then, where
  -- there were fills; "orders" and "positions" say how those stand after the batch, "cash" and "held" too
  -- where they changed.
  CREATE TABLE updates (
    id        INTEGER PRIMARY KEY,
    account   INTEGER NOT NULL,
    user_seq  INTEGER NOT NULL,
    previous  INTEGER,
    sequence  INTEGER NOT NULL,
    at        INTEGER NOT NULL,
    fills     INTEGER,
    entry     INTEGER,
    orders    TEXT,
    positions TEXT,
    cash      INTEGER,
    held      INTEGER
  ) STRICT;
  CREATE TABLE update_marks (
    account  INTEGER NOT NULL,
    user_seq INTEGER NOT NULL,
    id       INTEGER NOT NULL,
    PRIMARY KEY (account, user_seq)
  ) STRICT, WITHOUT ROWID;

  -- What a client called an order, for ever, and a fingerprint of what it asked for under that name.
  CREATE TABLE order_keys (
    account     INTEGER NOT NULL,
    name        TEXT    NOT NULL,
    fingerprint TEXT    NOT NULL,
    market      INTEGER NOT NULL,
    number      INTEGER NOT NULL,
    PRIMARY KEY (account, name)
  ) STRICT, WITHOUT ROWID;

  -- What clients called their batches, for ever, apart from what they called orders: at place -1 the batch
  -- itself, at the others its orders. "name" says whose it is, too; "fingerprint" is of the whole body.
  CREATE TABLE batch_keys (
    place       INTEGER NOT NULL,
    name        TEXT    NOT NULL,
    fingerprint TEXT    NOT NULL,
    market      INTEGER,
    number      INTEGER,
    PRIMARY KEY (name, place)
  ) STRICT, WITHOUT ROWID;

  -- What operators did, and what their requests said ("fields", JSON). "line" is the command's place in its
  -- batch.
  CREATE TABLE admin_actions (
    sequence INTEGER NOT NULL,
    line     INTEGER NOT NULL,
    at       INTEGER NOT NULL,
    who      TEXT    NOT NULL,
    address  TEXT    NOT NULL,
    action   TEXT    NOT NULL,
    market   INTEGER,
    account  INTEGER,
    fields   TEXT    NOT NULL,
    PRIMARY KEY (sequence, line)
  ) STRICT, WITHOUT ROWID;

  -- The last batch of the journal that the tables include, and its hash. The journal of a new file moves to a
  -- file of its own, as that of a backup does (journal-split.ts).
  CREATE TABLE reached (
    id       INTEGER PRIMARY KEY CHECK (id = 1),
    sequence INTEGER NOT NULL,
    hash     BLOB    NOT NULL
  ) STRICT;
  INSERT INTO reached VALUES (1, 0, zeroblob(32));

  -- The archive of what was moved out of this file and the journal: its last batch, with time and hash, and
  -- its own size and SHA-256. Without a row nothing was moved.
  CREATE TABLE archived (
    id       INTEGER PRIMARY KEY CHECK (id = 1),
    sequence INTEGER NOT NULL,
    at       INTEGER NOT NULL,
    hash     BLOB    NOT NULL,
    bytes    INTEGER NOT NULL,
    digest   TEXT    NOT NULL
  ) STRICT;
  `,
  steps: TABLES_STEPS,
}

export const SCHEMA_VERSION = newestVersion(TABLES_SCHEMA)

/** Creates the tables in a new file, or brings them to this version; returns why it must not. */
export function migrateTables(database: Database): string | undefined {
  const refusal = schemaRefusal(database)
  if (refusal === undefined) migrate(database, TABLES_SCHEMA)
  return refusal
}

/** Returns why this program must not open the file: it has another version, or it is not Raay's. */
export function schemaRefusal(database: Database): string | undefined {
  const version = schemaVersion(database)
  if (version === 0) {
    if (!hasTables(database)) return undefined
    return 'the data file is not one of Raay: choose another directory with --data'
  }
  const refusal = versionRefusal(version, TABLES_SCHEMA)
  return refusal && `the data file ${refusal}`
}

function hasTables(database: Database): boolean {
  return database.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table'").get() !== undefined
}
