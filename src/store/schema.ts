import type { Database } from './database.js'
import { MIGRATION_5 } from './migration-5.js'

/**
 * The tables, as numbered migrations: the n-th takes a file from version n − 1 to n (`PRAGMA user_version`).
 * A migration that has been released is never changed; a new one is added below it. One that does more to the
 * tables of `ARCHIVED_TABLES` than add columns must rewrite the archive, too.
 *
 * Prices are ticks (₹0.01), quantities lots (0.01 contract), money units of ₹0.0001, times milliseconds UTC.
 */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE journal (
    sequence INTEGER PRIMARY KEY,
    shard    INTEGER NOT NULL,
    at       INTEGER NOT NULL,
    commands TEXT    NOT NULL,
    hash     BLOB    NOT NULL
  ) STRICT;

  CREATE TABLE accounts (
    number INTEGER PRIMARY KEY,
    owner  TEXT    NOT NULL UNIQUE,
    cash   INTEGER NOT NULL,
    held   INTEGER NOT NULL,
    CHECK (number = 1 OR (0 <= held AND held <= cash))
  ) STRICT;
  INSERT INTO accounts VALUES (1, 'external', 0, 0), (2, 'fees', 0, 0), (3, 'house', 0, 0);

  CREATE TABLE markets (
    code        INTEGER PRIMARY KEY,
    id          TEXT    NOT NULL UNIQUE,
    slug        TEXT    NOT NULL UNIQUE,
    title       TEXT    NOT NULL,
    description TEXT    NOT NULL,
    sot         TEXT    NOT NULL,
    created_at  INTEGER NOT NULL,
    start_at    INTEGER NOT NULL,
    end_at      INTEGER NOT NULL,
    min_bet     INTEGER NOT NULL,
    max_bet     INTEGER NOT NULL,
    capacity    INTEGER NOT NULL,
    payout      INTEGER NOT NULL,
    tick_size   INTEGER NOT NULL,
    escrow      INTEGER NOT NULL UNIQUE,
    status      TEXT    NOT NULL,
    seq         INTEGER NOT NULL,
    trades      INTEGER NOT NULL,
    last_price  INTEGER,
    volume      INTEGER NOT NULL,
    open_pairs  INTEGER NOT NULL CHECK (0 <= open_pairs AND open_pairs <= capacity)
  ) STRICT;

  CREATE TABLE positions (
    market     INTEGER NOT NULL,
    account    INTEGER NOT NULL,
    yes        INTEGER NOT NULL,
    no         INTEGER NOT NULL,
    yes_locked INTEGER NOT NULL,
    no_locked  INTEGER NOT NULL,
    PRIMARY KEY (market, account),
    CHECK (0 <= yes_locked AND yes_locked <= yes),
    CHECK (0 <= no_locked AND no_locked <= no)
  ) STRICT, WITHOUT ROWID;

  -- "asked" keeps a refused order's price and quantity in the client's own numbers, for they may fit no grid.
  CREATE TABLE orders (
    market       INTEGER NOT NULL,
    number       INTEGER NOT NULL,
    suffix       TEXT    NOT NULL,
    account      INTEGER NOT NULL,
    side         TEXT    NOT NULL,
    outcome      TEXT    NOT NULL,
    order_type   TEXT    NOT NULL,
    self_trade   TEXT    NOT NULL,
    price        INTEGER NOT NULL,
    quantity     INTEGER NOT NULL,
    asked        TEXT,
    covered      INTEGER NOT NULL,
    filled       INTEGER NOT NULL CHECK (filled <= quantity),
    filled_value INTEGER NOT NULL,
    state        TEXT    NOT NULL,
    reason       TEXT,
    created_at   INTEGER NOT NULL,
    updated_at   INTEGER NOT NULL,
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
  `,
  `
  ALTER TABLE markets ADD COLUMN outcome TEXT;
  ALTER TABLE markets ADD COLUMN source_url TEXT;
  ALTER TABLE markets ADD COLUMN note TEXT;
  ALTER TABLE markets ADD COLUMN resolved_at INTEGER;
  ALTER TABLE orders ADD COLUMN expires_at INTEGER;

  -- What a user has put into a market, net: what the fills cost, less what sales and merges brought back.
  ALTER TABLE positions ADD COLUMN paid INTEGER NOT NULL DEFAULT 0;
  UPDATE positions SET paid = flows.paid + positions.no * markets.payout FROM markets,
    (SELECT market, account, sum(paid) AS paid FROM
      (SELECT market, taker_account AS account,
              iif(taker_side = 'yes', 1, -1) * price * quantity AS paid FROM trades
       UNION ALL
       SELECT market, maker_account, iif(taker_side = 'yes', -1, 1) * price * quantity FROM trades)
     GROUP BY market, account) AS flows
  WHERE markets.code = positions.market AND flows.market = positions.market
    AND flows.account = positions.account;

  -- A user's statement: one line for each change of cash, and the cash after it. "sequence" is the journal's.
  CREATE TABLE entries (
    account      INTEGER NOT NULL,
    sequence     INTEGER NOT NULL,
    line         INTEGER NOT NULL,
    at           INTEGER NOT NULL,
    kind         TEXT    NOT NULL,
    change       INTEGER NOT NULL,
    cash         INTEGER NOT NULL CHECK (cash >= 0),
    market       INTEGER,
    order_number INTEGER,
    trade        INTEGER,
    txn_id       TEXT,
    PRIMARY KEY (account, sequence, line)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO entries
    SELECT number, end.sequence, 0, end.at, 'brought_forward', cash, cash, NULL, NULL, NULL, NULL
    FROM accounts, (SELECT sequence, at FROM journal ORDER BY sequence DESC LIMIT 1) AS end
    WHERE owner LIKE 'user:%' AND cash <> 0;

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
  `,
  `
  ALTER TABLE orders ADD COLUMN time_in_force TEXT NOT NULL DEFAULT 'GTC';
  ALTER TABLE orders ADD COLUMN post_only INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE orders ADD COLUMN reduce_only INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE orders ADD COLUMN client_key TEXT;
  UPDATE orders SET time_in_force = 'IOC' WHERE order_type = 'MO';
  UPDATE orders SET time_in_force = 'GTD' WHERE expires_at IS NOT NULL AND order_type = 'LO';

  -- What a client called an order, for ever, and a fingerprint of what it asked for under that name.
  CREATE TABLE order_keys (
    account     INTEGER NOT NULL,
    name        TEXT    NOT NULL,
    fingerprint TEXT    NOT NULL,
    market      INTEGER NOT NULL,
    number      INTEGER NOT NULL,
    PRIMARY KEY (account, name)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- A user's orders in the order of time. None of its columns ever changes, so only arrivals pay for it.
  CREATE INDEX orders_of ON orders (account, created_at, market, number);
  -- The words of the titles, for the search. Marks belong to words: without them a vowel sign would end one.
  CREATE VIRTUAL TABLE market_words USING fts5 (
    title, content = 'markets', content_rowid = 'code', prefix = '1 2 3',
    tokenize = "unicode61 remove_diacritics 2 categories 'L* M* N* Co'"
  );
  INSERT INTO market_words (rowid, title) SELECT code, title FROM markets;
  `,
  MIGRATION_5,
  `
  -- What operators did, and what their requests said ("fields", JSON). "line" is the command's place in its
  -- batch. Who did what in an older file is not known.
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
  `,
  `
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
  `,
  `
  -- The last batch of the journal that the tables include, and its hash. Once a file has this table, the
  -- journal moves to a file of its own (journal-split.ts).
  CREATE TABLE reached (
    id       INTEGER PRIMARY KEY CHECK (id = 1),
    sequence INTEGER NOT NULL,
    hash     BLOB    NOT NULL
  ) STRICT;
  INSERT INTO reached
    SELECT 1, ifnull(max(sequence), 0),
      ifnull((SELECT hash FROM journal ORDER BY sequence DESC LIMIT 1), zeroblob(32))
    FROM journal;
  `,
  `
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
  `
  -- Of the event itself: "source_url" is the resolution's.
  ALTER TABLE markets ADD COLUMN category TEXT;
  ALTER TABLE markets ADD COLUMN listed_source_url TEXT;
  `,
]

export const SCHEMA_VERSION = MIGRATIONS.length

/** Returns why this version must not open the file: a newer version wrote it, or it is not Raay's. */
export function schemaRefusal(database: Database): string | undefined {
  const version = schemaVersion(database)
  if (version > SCHEMA_VERSION) {
    return `the data file has version ${version}, this program knows ${SCHEMA_VERSION}: start a newer Raay`
  }
  if (version === 0 && hasTables(database)) {
    return 'the data file is not one of Raay: choose another directory with --data'
  }
  return undefined
}

/** Returns the version of a file; 0 for one without tables. */
export function schemaVersion(database: Database): number {
  return Number(database.pragma('user_version', { simple: true }))
}

function hasTables(database: Database): boolean {
  return database.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table'").get() !== undefined
}
