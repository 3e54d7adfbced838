/**
 * Returns a list up to a limit, and says on stderr if the list goes on.
 *
 * @param fetch returns at most this many rows
 * @param which of all rows the list begins with: `newest` or `first`
 */
export async function limitedRows<Row>(
  limit: number,
  limitMax: number,
  which: 'newest' | 'first',
  fetch: (limit: number) => Promise<readonly Row[]>,
): Promise<readonly Row[]> {
  const rows = await fetch(limit + 1)
  if (rows.length <= limit) return rows
  process.stderr.write(`only the ${which} ${limit} are shown; --limit takes up to ${limitMax}\n`)
  return rows.slice(0, limit)
}
