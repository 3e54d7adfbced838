/** One slip is allowed per three letters; anything further off is a different word. */
const LETTERS_PER_SLIP = 3

/** Returns the word that was most likely meant by an unknown one; undefined if none is close. */
export function nearestOf(word: string, words: readonly string[]): string | undefined {
  let nearest: string | undefined
  let least = Math.max(1, Math.floor(word.length / LETTERS_PER_SLIP)) + 1
  for (const candidate of words) {
    const slips = slipsBetween(word.toLowerCase(), candidate.toLowerCase())
    if (slips < least) [nearest, least] = [candidate, slips]
  }
  return nearest
}

/** Counts the letters to add, drop, change or swap with a neighbour to turn one word into the other. */
function slipsBetween(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, column) => column)]
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    const before = rows[i - 1] ?? []
    for (let j = 1; j <= b.length; j++) {
      const changed = (before[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const swapped = isSwap ? (rows[i - 2]?.[j - 2] ?? 0) + 1 : changed
      row.push(Math.min((row[j - 1] ?? 0) + 1, (before[j] ?? 0) + 1, changed, swapped))
    }
    rows.push(row)
  }
  return rows[a.length]?.[b.length] ?? 0
}
