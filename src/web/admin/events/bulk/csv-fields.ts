/** Splits CSV into rows of fields; quoted fields may contain commas, quotes and line breaks. */
export function csvFields(text: string): string[][] {
  const rows: string[][] = [[]]
  let field = ''
  let isQuoted = false
  const end = () => {
    rows.at(-1)?.push(field)
    field = ''
  }
  const plain = text.replace(/^\ufeff/, '')
  for (let at = 0; at < plain.length; at++) {
    const character = plain.charAt(at)
    if (isQuoted && character === '"' && plain.charAt(at + 1) === '"') {
      field += '"'
      at++
    } else if (character === '"' && (isQuoted || field === '')) isQuoted = !isQuoted
    else if (!isQuoted && character === ',') end()
    else if (!isQuoted && (character === '\n' || character === '\r')) {
      if (character === '\r' && plain.charAt(at + 1) === '\n') at++
      end()
      rows.push([])
    } else field += character
  }
  end()
  return rows.filter(row => row.some(value => value.trim() !== ''))
}
