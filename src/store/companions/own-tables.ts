/** Tables about the file of a companion itself, of which no other file has the rows. */
export const OWN_TABLES: readonly string[] = ['exchange', 'outbox', 'replicated']
