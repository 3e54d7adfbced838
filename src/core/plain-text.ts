/** Matches control characters, and others that are invisible or change the direction of text. */
const UNWANTED = new RegExp(
  '[\\p{Cc}\\u00ad\\u061c\\u180e\\u200b\\u200e\\u200f\\u202a-\\u202e\\u2060-\\u206f\\ufeff\\ufff9-\\ufffb' +
    '\\u{e0000}-\\u{e0fff}]',
  'gu',
)
/** More marks than any script puts on one letter: they would cover the lines above. */
const MARKS_TOO_MANY = /(\p{M}{6})\p{M}+/gu

/**
 * Returns a text that someone wrote as it may be shown to others: composed (NFC), with plain line breaks, at
 * most one empty line in a row, and without surrounding white space. It is still text, never markup.
 */
export function plainText(written: string): string {
  return written
    .normalize('NFC')
    .replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
    .replace(/\t/g, ' ')
    .replace(UNWANTED, character => (character === '\n' ? '\n' : ''))
    .replace(MARKS_TOO_MANY, '$1')
    .replace(/[^\S\n]+$/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}
