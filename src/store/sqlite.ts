import type SqliteDatabase from 'better-sqlite3'

/** A connection, and a statement prepared on it. */
export type Database = SqliteDatabase.Database
export type Statement<Row = unknown> = SqliteDatabase.Statement<unknown[], Row>
