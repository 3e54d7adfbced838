/** The files of a data directory that hold credentials, apart from the ledger. */
export const CREDENTIAL_FILES = { operatorKey: 'operator.key', accounts: 'access.db' } as const
