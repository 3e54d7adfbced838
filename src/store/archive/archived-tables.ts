/** The name under which a connection to the tables has the archive. */
export const ARCHIVE = 'archive'

/** The tables whose old rows move to the archive; each row is in one of the two. */
export const ARCHIVED_TABLES = ['orders', 'trades', 'entries', 'updates'] as const
