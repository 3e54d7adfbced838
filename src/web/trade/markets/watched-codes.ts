/** The most markets on a watchlist. */
export const WATCHED_MAX = 200

/** Reads the codes of a watchlist from what the browser remembered, which anything may have written. */
export function watchedCodes(text = ''): readonly string[] {
  return [...new Set(text.split(',').filter(code => /^[1-9]\d{6}$/.test(code)))].slice(0, WATCHED_MAX)
}
