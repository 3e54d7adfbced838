import { GROUP_TABLES } from './group-tables.js'
import { HOUSE_TABLES } from './house-tables.js'

/** The steps from the first version of the tables to the newest (`TABLES_SCHEMA`). */
export const TABLES_STEPS: readonly string[] = [
  // Before, the titles were in the index as they were written.
  `
  INSERT INTO market_words (market_words) VALUES ('delete-all');
  INSERT INTO market_words (rowid, title) SELECT code, folded(title) FROM markets;
  `,
  // The timers that cancel users' orders: when each ends, NULL while it is off; the markets, NULL for all;
  // and what it was to cancel when it last fired, [[market, last number], …]. Both lists are JSON.
  `
  CREATE TABLE timers (
    account INTEGER PRIMARY KEY,
    ends_at INTEGER,
    markets TEXT,
    fired   TEXT NOT NULL
  ) STRICT;
  `,
  // The users who ever had a position, so that a start need not read those of events that have paid.
  `
  ALTER TABLE markets ADD COLUMN traders INTEGER NOT NULL DEFAULT 0;
  UPDATE markets SET traders = (SELECT count(*) FROM positions WHERE market = code);
  `,
  'ALTER TABLE orders ADD COLUMN quote_set TEXT;',
  // Fees. The rates of an event are NULL where its category or the exchange decides; "fees" of a market is
  // what its fills have paid so far. An order has the rates of its admission, what it has paid, and while it
  // rests its credit (core/fees.ts). "change" of an entry includes its fee. Days are of UTC, since 1970.
  `
  ALTER TABLE markets ADD COLUMN fee_taker INTEGER;
  ALTER TABLE markets ADD COLUMN fee_maker INTEGER;
  ALTER TABLE markets ADD COLUMN fees INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE orders ADD COLUMN fee_taker INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE orders ADD COLUMN fee_maker INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE orders ADD COLUMN fee_paid INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE orders ADD COLUMN fee_credit INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE entries ADD COLUMN fee INTEGER NOT NULL DEFAULT 0;
  CREATE TABLE fee_days (
    day    INTEGER NOT NULL,
    market INTEGER NOT NULL,
    fees   INTEGER NOT NULL CHECK (fees > 0),
    PRIMARY KEY (day, market)
  ) STRICT, WITHOUT ROWID;
  `,
  GROUP_TABLES,
  HOUSE_TABLES,
  // Seasons, those included that were deleted before their start. "stake" is the money of each user.
  `
  CREATE TABLE seasons (
    season     INTEGER PRIMARY KEY,
    name       TEXT    NOT NULL,
    starts_at  INTEGER NOT NULL,
    ends_at    INTEGER NOT NULL,
    stake      INTEGER NOT NULL,
    begun_at   INTEGER,
    turned_at  INTEGER,
    is_dropped INTEGER NOT NULL
  ) STRICT;
  `,
  // So that a start finds the markets that go on among all that there ever were.
  "CREATE INDEX markets_live ON markets (code) WHERE status NOT IN ('settled', 'voided');",
  // So that a start finds the last epoch among all that operators have done.
  "CREATE INDEX epochs ON admin_actions (sequence) WHERE action = 'begin_epoch';",
  // No table changes: from here on batches of the journal may have form 1 (command-text.ts).
  '',
]
