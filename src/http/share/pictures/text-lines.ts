/** Returns the width of a text in ems. */
type Measure = (text: string) => number

const ELLIPSIS = '…'
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/**
 * Breaks a text into lines no wider than a width, between words, or within a word that is wider itself. What
 * does not fit into the lines is cut, with an ellipsis.
 */
export function textLines(text: string, widthMax: number, countMax: number, measure: Measure): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(/\s+/u).filter(word => word !== '')) {
    const longer = line === '' ? word : `${line} ${word}`
    if (measure(longer) <= widthMax) {
      line = longer
      continue
    }
    if (line !== '') lines.push(line)
    const parts = brokenWord(word, widthMax, measure)
    line = parts.pop() ?? ''
    for (const part of parts) lines.push(part)
    if (lines.length > countMax) break
  }
  if (line !== '') lines.push(line)
  if (lines.length <= countMax) return lines
  const kept = lines.slice(0, countMax)
  return [...kept.slice(0, -1), cut(kept.at(-1) ?? '', widthMax, measure)]
}

/** Splits a word that is wider than a line. */
function brokenWord(word: string, widthMax: number, measure: Measure): string[] {
  if (measure(word) <= widthMax) return [word]
  const parts: string[] = []
  let part = ''
  for (const { segment } of graphemes.segment(word)) {
    if (part !== '' && measure(part + segment) > widthMax) {
      parts.push(part)
      part = segment
    } else {
      part += segment
    }
  }
  return [...parts, part]
}

/** Shortens a line until it has room for the ellipsis. */
function cut(line: string, widthMax: number, measure: Measure): string {
  const letters = Array.from(graphemes.segment(line), ({ segment }) => segment)
  while (letters.length > 0 && measure(letters.join('').trimEnd() + ELLIPSIS) > widthMax) letters.pop()
  return letters.join('').trimEnd() + ELLIPSIS
}
