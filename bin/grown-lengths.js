import { readFileSync } from 'node:fs'

const LETTER_PX = 16
/** Borders and outlines stay as thin as they are. */
const THIN_PX = 4

/**
 * Writes the lengths of a style in units of the reader's letters: styles say px, as at the usual size, and a page whose
 * reader has chosen larger letters in the browser grows as with zoom, including where it turns into one column.
 */
export function growLengths(style) {
  return style.replace(/@media[^{]*|(?<![\w.-])-?\d*\.?\d+px/g, found =>
    found.startsWith('@media')
      ? found.replace(/(\d*\.?\d+)px/g, (_, px) => `${px / LETTER_PX}em`)
      : Math.abs(Number.parseFloat(found)) < THIN_PX
        ? found
        : `${Number.parseFloat(found) / LETTER_PX}rem`,
  )
}

/** Loads styles with growing lengths. */
export const lengthsPlugin = {
  name: 'lengths',
  setup({ onLoad }) {
    onLoad({ filter: /\.css$/ }, ({ path }) => ({
      contents: growLengths(readFileSync(path, 'utf8')),
      loader: 'css',
    }))
  },
}
