/**
 * The step that adds groups of markets, and the conversions of contracts within them ("markets" and "others"
 * are JSON). The markets of an exclusive group share its escrow, so that column is no longer unique; "pool"
 * is that group. The net payments of its users are positions of its own code, without contracts.
 */
export const GROUP_TABLES = `
  CREATE TABLE market_groups (
    code        INTEGER PRIMARY KEY,
    id          TEXT    NOT NULL UNIQUE,
    kind        TEXT    NOT NULL,
    title       TEXT    NOT NULL,
    description TEXT    NOT NULL,
    has_none    INTEGER NOT NULL,
    created_at  INTEGER NOT NULL,
    payout      INTEGER NOT NULL,
    escrow      INTEGER UNIQUE,
    sets        INTEGER NOT NULL,
    conversions INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE conversions (
    group_code INTEGER NOT NULL,
    number     INTEGER NOT NULL,
    account    INTEGER NOT NULL,
    at         INTEGER NOT NULL,
    direction  TEXT    NOT NULL,
    lots       INTEGER NOT NULL CHECK (lots > 0),
    cash       INTEGER NOT NULL,
    markets    TEXT    NOT NULL,
    others     TEXT    NOT NULL,
    client_key TEXT,
    fingerprint TEXT,
    PRIMARY KEY (group_code, number)
  ) STRICT, WITHOUT ROWID;
  CREATE UNIQUE INDEX conversions_named ON conversions (account, client_key) WHERE client_key IS NOT NULL;
  CREATE INDEX conversions_made ON conversions (account, group_code);
  CREATE TABLE grouped_markets (
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
    escrow            INTEGER NOT NULL,
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
    listed_source_url TEXT,
    traders           INTEGER NOT NULL DEFAULT 0,
    fee_taker         INTEGER,
    fee_maker         INTEGER,
    fees              INTEGER NOT NULL DEFAULT 0,
    group_code        INTEGER,
    pool              INTEGER,
    label             TEXT
  ) STRICT;
  INSERT INTO grouped_markets SELECT *, NULL, NULL, NULL FROM markets;
  DROP TABLE markets;
  ALTER TABLE grouped_markets RENAME TO markets;
  CREATE INDEX markets_grouped ON markets (group_code) WHERE group_code IS NOT NULL;
`
