/** Facts about the step that takes a file to a version. */
export interface SchemaStep {
  /** Its additions, in the words of operators. */
  readonly adds: string
  /** Its statements that take long, and the milliseconds of each on a million orders; one otherwise. */
  readonly slow?: readonly (readonly [statement: RegExp, ms: number])[]
}

/** The steps in the order of the versions; measured on a file of 423 MB with `npm run bench -- upgrade`. */
export const SCHEMA_STEPS: readonly SchemaStep[] = [
  { adds: 'the tables' },
  {
    adds: 'statements, transfers, settlements and expiry',
    slow: [
      [/ALTER TABLE orders/, 610],
      [/UPDATE positions/, 420],
    ],
  },
  {
    adds: "options of orders, and clients' names for them",
    slow: [
      [/ALTER TABLE orders/, 500],
      [/UPDATE orders/, 150],
    ],
  },
  {
    adds: 'the index of orders by user, and the search of titles',
    slow: [[/CREATE INDEX orders_of/, 1110]],
  },
  {
    adds: 'private channels, and links between the rows of a user',
    slow: [
      [/DROP INDEX orders_of/, 220],
      [/ALTER TABLE orders/, 880],
      [/CREATE TEMP TABLE arrivals/, 12_140],
      [/UPDATE orders/, 5130],
      [/UPDATE accounts SET last_market/, 1040],
    ],
  },
  { adds: 'the log of what operators did' },
  { adds: "clients' names for batches" },
  { adds: 'the journal in a file of its own' },
  { adds: 'an archive of what is old' },
  { adds: 'categories and source links of events' },
]

/** The size of the file on which the steps were measured. */
const MEASURED_BYTES = 423_000_000

/** Returns the statements of a step, with a `;` at the end of a line behind each. */
export function statementsOf(sql: string): string[] {
  return sql.split(/(?<=;)[^\S\n]*\n/).filter(text => /\S/.test(text))
}

/** Returns the milliseconds that a statement of a step takes, on a file of this size. */
export function expectedMs(version: number, statement: string, bytes: number): number {
  const slow = SCHEMA_STEPS[version - 1]?.slow?.find(([pattern]) => pattern.test(statement))
  return 1 + ((slow?.[1] ?? 0) * bytes) / MEASURED_BYTES
}
