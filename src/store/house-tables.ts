/**
 * The step that adds house quotes: each row is an account that the house was given for a market, with its
 * table (core/house/quote-table.ts; "lots" is JSON), when that was, when it was stopped, and the money that
 * has gone back since. What the account has sold is its position.
 */
export const HOUSE_TABLES = `
  CREATE TABLE house_quotes (
    account    INTEGER PRIMARY KEY,
    market     INTEGER NOT NULL,
    round      INTEGER NOT NULL,
    budget     INTEGER NOT NULL CHECK (budget > 0),
    low        INTEGER NOT NULL,
    step       INTEGER NOT NULL,
    start      INTEGER NOT NULL,
    lots       TEXT    NOT NULL,
    funded_at  INTEGER NOT NULL,
    stopped_at INTEGER,
    returned   INTEGER NOT NULL CHECK (returned >= 0)
  ) STRICT;
  CREATE UNIQUE INDEX house_quotes_of ON house_quotes (market, round);
`
