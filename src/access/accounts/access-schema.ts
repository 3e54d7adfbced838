import type { CompanionKind } from '../../store/companions/companion-kind.js'
import { EXCHANGE_TABLE } from '../../store/companions/companion-kind.js'
import type { ChainRules } from '../../store/companions/decision-chain.js'
import { DECISIONS_TABLE } from '../../store/companions/decision-chain.js'
import { OUTBOX_TABLES, PACK_EPOCH_COLUMN } from '../../store/companions/companion-outbox.js'
import { WEBHOOKS_TABLE } from './stored-webhooks.js'

/** Marks the file as Raay's accounts: "Raac". */
const APPLICATION_ID = 0x52616163

/**
 * Times are milliseconds UTC. "hash" is the SHA-256 of a token, in base64url: a copy of the file opens no
 * door. AUTOINCREMENT gives no id twice, so that `session:12` never means another session later.
 */
const TABLES = `
  -- "name" is the user id on the exchange, "folded" the form under which names are compared. "handle" is the
  -- random id that passkeys keep. Without "password" one signs in by passkey, or by a recovery link first.
  CREATE TABLE accounts (
    id              INTEGER PRIMARY KEY AUTOINCREMENT,
    name            TEXT    NOT NULL UNIQUE,
    folded          TEXT    NOT NULL UNIQUE,
    handle          BLOB    NOT NULL UNIQUE,
    password        TEXT,
    role            TEXT    NOT NULL CHECK (role IN ('viewer', 'trader', 'operator', 'admin')),
    disabled        INTEGER NOT NULL DEFAULT 0 CHECK (disabled IN (0, 1)),
    created_at      INTEGER NOT NULL,
    last_sign_in_at INTEGER
  ) STRICT;
  CREATE INDEX accounts_admins ON accounts (role) WHERE role = 'admin' AND disabled = 0;

  -- An operator's session has no account; "issuer" is the hash of the operator's key that it depends on.
  -- "opener" is the session whose link opened this one, which ends with it, and at "ends_at" in any case.
  CREATE TABLE sessions (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    hash         TEXT    NOT NULL UNIQUE,
    account      INTEGER,
    issuer       TEXT,
    created_at   INTEGER NOT NULL,
    last_used_at INTEGER NOT NULL,
    address      TEXT    NOT NULL,
    browser      TEXT    NOT NULL,
    opener       INTEGER,
    ends_at      INTEGER,
    CHECK ((account IS NULL) <> (issuer IS NULL))
  ) STRICT;
  CREATE INDEX sessions_of ON sessions (account, id);
  CREATE INDEX sessions_idle ON sessions (last_used_at);
  CREATE INDEX sessions_opened ON sessions (opener) WHERE opener IS NOT NULL;

  -- "scopes" and "addresses" are lists with commas; a key without addresses may be used from anywhere.
  -- "made_by" is set for the key of one account that an admin's account made.
  CREATE TABLE api_keys (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    hash         TEXT    NOT NULL UNIQUE,
    account      INTEGER NOT NULL,
    name         TEXT    NOT NULL,
    scopes       TEXT    NOT NULL,
    addresses    TEXT,
    expires_at   INTEGER,
    created_at   INTEGER NOT NULL,
    last_used_at INTEGER,
    last_address TEXT,
    made_by      TEXT
  ) STRICT;
  CREATE INDEX api_keys_of ON api_keys (account, id);

  CREATE TABLE passkeys (
    id            INTEGER PRIMARY KEY AUTOINCREMENT,
    credential_id TEXT    NOT NULL UNIQUE,
    account       INTEGER NOT NULL,
    public_key    BLOB    NOT NULL,
    counter       INTEGER NOT NULL,
    transports    TEXT    NOT NULL,
    name          TEXT    NOT NULL,
    created_at    INTEGER NOT NULL,
    last_used_at  INTEGER
  ) STRICT;
  CREATE INDEX passkeys_of ON passkeys (account, id);

  -- "name" is reserved for whoever accepts the invitation; "folded" as in accounts. "made_by" is the
  -- admin without whose rights it ends, "issuer" as in sessions: set where the holder of the operator's key
  -- made it.
  CREATE TABLE invitations (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    hash       TEXT    NOT NULL UNIQUE,
    role       TEXT    NOT NULL CHECK (role IN ('viewer', 'trader', 'operator', 'admin')),
    name       TEXT,
    folded     TEXT    UNIQUE,
    made_by    TEXT    NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    issuer     TEXT
  ) STRICT;

  -- "made_by" and "issuer" are as in invitations.
  CREATE TABLE recovery_links (
    account    INTEGER PRIMARY KEY,
    hash       TEXT    NOT NULL UNIQUE,
    expires_at INTEGER NOT NULL,
    made_by    TEXT    NOT NULL DEFAULT '',
    issuer     TEXT
  ) STRICT;

  -- Where an account has signed in from: failures elsewhere do not slow it down there.
  CREATE TABLE familiar_addresses (
    account INTEGER NOT NULL,
    address TEXT    NOT NULL,
    at      INTEGER NOT NULL,
    PRIMARY KEY (account, address)
  ) STRICT, WITHOUT ROWID;

  -- "times" counts equal refusals within a minute. Acts and refusals are bounded apart from each other.
  CREATE TABLE audit (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    is_refusal INTEGER NOT NULL CHECK (is_refusal IN (0, 1)),
    at         INTEGER NOT NULL,
    kind       TEXT    NOT NULL,
    name       TEXT    NOT NULL,
    made_by    TEXT    NOT NULL,
    address    TEXT    NOT NULL,
    detail     TEXT    NOT NULL,
    times      INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX audit_classes ON audit (is_refusal, id);

  -- What operators have set for the orders of single users; "userid" is the user id on the exchange. A user
  -- without limits has no row. "order_value_max" is in units of ₹0.0001.
  CREATE TABLE user_limits (
    userid          TEXT    PRIMARY KEY,
    suspended       INTEGER NOT NULL CHECK (suspended IN (0, 1)),
    reason          TEXT    NOT NULL,
    order_value_max INTEGER,
    open_orders_max INTEGER,
    changed_at      INTEGER NOT NULL,
    changed_by      TEXT    NOT NULL
  ) STRICT, WITHOUT ROWID;
  `

const STEPS = [
  // What one admin or operator made is found without reading what all have.
  `
  CREATE INDEX api_keys_made_by ON api_keys (made_by) WHERE made_by IS NOT NULL;
  CREATE INDEX recovery_links_made_by ON recovery_links (made_by);
  CREATE INDEX recovery_links_issuer ON recovery_links (issuer) WHERE issuer IS NOT NULL;
  `,
  WEBHOOKS_TABLE,
  // "valid_until" is when the last sign-in of a person at an OpenID provider ends, and what "identity" names
  // with it: the keys made in sessions that the person opened, or in those that their links opened.
  `
  CREATE TABLE identities (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    issuer      TEXT    NOT NULL,
    subject     TEXT    NOT NULL,
    account     INTEGER NOT NULL,
    created_at  INTEGER NOT NULL,
    valid_until INTEGER NOT NULL,
    UNIQUE (issuer, subject),
    UNIQUE (account, issuer)
  ) STRICT;
  ALTER TABLE sessions ADD COLUMN identity INTEGER;
  ALTER TABLE api_keys ADD COLUMN identity INTEGER;
  CREATE INDEX api_keys_identity ON api_keys (identity) WHERE identity IS NOT NULL;
  `,
  OUTBOX_TABLES,
  PACK_EPOCH_COLUMN,
]

/** Every row is a decision, but for where and when something was used; of the audit log, the acts are. */
export const ACCESS_CHAIN: ChainRules = {
  tablesLeftOut: ['familiar_addresses'],
  columnsLeftOut: ['last_sign_in_at', 'last_used_at', 'last_address', 'reached'],
  onlyWhere: { audit: 'row.is_refusal = 0' },
}

/** The file of accounts. */
export const ACCESS_FILE: CompanionKind = {
  companion: 'accounts',
  name: 'the accounts',
  description: 'a file of accounts of Raay',
  applicationId: APPLICATION_ID,
  schema: { first: 5, tables: TABLES + EXCHANGE_TABLE + DECISIONS_TABLE, steps: STEPS },
  isSynced: true,
  chain: ACCESS_CHAIN,
}
