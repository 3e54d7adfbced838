/**
 * Migration 5. Statement lines and orders are no longer clustered by user, because each new row then touched
 * a page of its own: three quarters of an order's writes. Older files get their links in journal order, as a
 * replay would make them.
 */
export const MIGRATION_5 = `
  -- What belongs to a user is written behind what was there before, whoever's that is: kept together by user,
  -- each row would cost a page of its own. So each row knows the user's row before, and the account the last.
  ALTER TABLE accounts ADD COLUMN last_entry INTEGER;
  ALTER TABLE accounts ADD COLUMN last_market INTEGER;
  ALTER TABLE accounts ADD COLUMN last_number INTEGER;
  ALTER TABLE accounts ADD COLUMN last_update INTEGER;
  ALTER TABLE accounts ADD COLUMN user_seq INTEGER NOT NULL DEFAULT 0;

  DROP INDEX orders_of;
  ALTER TABLE orders ADD COLUMN previous_market INTEGER;
  ALTER TABLE orders ADD COLUMN previous_number INTEGER;
  CREATE TEMP TABLE arrivals AS
    SELECT o.account, o.market, o.number, row_number() OVER (ORDER BY a.sequence, a.place) AS arrival
    FROM orders o JOIN (
      SELECT sequence, command.key AS place,
        coalesce(command.value ->> '$.order.market', command.value ->> '$.market') AS market,
        coalesce(command.value ->> '$.order.number', command.value ->> '$.number') AS number
      FROM journal, json_each(commands) AS command
      WHERE command.value ->> '$.type' IN ('CREATE_ORDER', 'REPLACE_ORDER')
    ) AS a ON a.market = o.market AND a.number = o.number;
  UPDATE orders SET previous_market = a.previous_market, previous_number = a.previous_number FROM (
    SELECT market, number, lag(market) OVER by_user AS previous_market,
      lag(number) OVER by_user AS previous_number
    FROM arrivals WINDOW by_user AS (PARTITION BY account ORDER BY arrival)
  ) AS a WHERE a.market = orders.market AND a.number = orders.number;
  UPDATE accounts SET last_market = a.market, last_number = a.number
  FROM (SELECT account, market, number, max(arrival) FROM arrivals GROUP BY account) AS a
  WHERE a.account = accounts.number;
  DROP TABLE arrivals;

  ALTER TABLE entries RENAME TO entries_before;
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
  INSERT INTO entries
    SELECT NULL, account, NULL, sequence, line, at, kind, change, cash, market, order_number, trade, txn_id
    FROM entries_before ORDER BY sequence, line, account;
  DROP TABLE entries_before;
  UPDATE entries SET previous = e.previous FROM (
    SELECT id, lag(id) OVER (PARTITION BY account ORDER BY id) AS previous FROM entries
  ) AS e WHERE e.id = entries.id;
  UPDATE accounts SET last_entry = e.id
  FROM (SELECT account, max(id) AS id FROM entries GROUP BY account) AS e
  WHERE e.account = accounts.number;

  -- What each batch had to tell a user on their private channel; a mark every so many messages says where a
  -- reader may begin. "user_seq" is that of the row's last message, "entry" the user's last line then, where
  -- there were fills; "orders" and "positions" say how those stand after the batch, "cash" and "held" too
  -- where they changed. Without "fills" a row is the first of a user of an older file.
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
  INSERT INTO updates (account, user_seq, sequence, at, cash, held)
    SELECT number, 1, end.sequence, end.at, cash, held
    FROM accounts, (SELECT sequence, at FROM journal ORDER BY sequence DESC LIMIT 1) AS end
    WHERE owner LIKE 'user:%' ORDER BY number;
  UPDATE accounts SET user_seq = 1, last_update = updates.id FROM updates WHERE updates.account = number;
`
