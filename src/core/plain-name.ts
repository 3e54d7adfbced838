const ZWNJ = '\u200c'
const ZWJ = '\u200d'

/** The viramas of Unicode (canonical combining class 9) in the scripts that use joiners behind them. */
const VIRAMA = `[${[
  '\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d3b\u0d3c\u0d4d\u0dca\u1039\u17d2',
  '\u1b44\u1baa\ua806\ua8c4\ua9c0\uaaf6\uabed',
].join('')}]`
/** Arabic letters that join only to the letter before them. */
const RIGHT_JOINING = [
  '\u0622-\u0625\u0627\u0629\u062f-\u0632\u0648\u0671-\u0673\u0675-\u0677\u0688-\u0699',
  '\u06c0\u06c3-\u06cb\u06cd\u06cf\u06d2\u06d3\u06d5\u06ee',
  '\u06ef\u0759-\u075b\u076b\u076c\u0771\u0773\u0774\u0778',
  '\u0779',
].join('')
const ARABIC = '[\u0620-\u063f\u0641-\u064a\u066e-\u06d3\u06d5\u06ee\u06ef\u06fa-\u06fc\u06ff\u0750-\u077f]'
const JOINS_AFTER = `(?![${RIGHT_JOINING}\u0621\u0674])${ARABIC}`
const JOINS_BEFORE = `(?![\u0621\u0674])${ARABIC}`

/** The joiner of an emoji such as 👩‍🌾, which the emoji profile of UAX 31 allows. */
const EMOJI_BEFORE = '\\p{Extended_Pictographic}[\\p{EMod}\\ufe0f]?'

/** Matches joiners where UAX 31 allows them: rules A1 (for Arabic), A2 and B, and its emoji profile. */
const ALLOWED_JOINERS = new RegExp(
  [
    `(?<=${JOINS_AFTER}\\p{Mn}*)${ZWNJ}(?=\\p{Mn}*${JOINS_BEFORE})`,
    `(?<=\\p{L}\\p{M}*${VIRAMA}\\p{Mn}*)${ZWNJ}(?=\\p{Mn}*\\p{L})`,
    `(?<=\\p{L}\\p{M}*${VIRAMA}\\p{Mn}*)${ZWJ}(?!\\p{M})`,
    `(?<=${EMOJI_BEFORE})${ZWJ}(?=\\p{Extended_Pictographic})`,
  ].join('|'),
  'gu',
)
/** Characters that change the direction of text or are invisible. */
const HIDDEN = /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/u
/** All that steers a terminal or has no glyph, but joiners, which `ALLOWED_JOINERS` judges. */
const UNSEEN = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u
const JOINERS = /[\u200c\u200d]/gu

/** Returns the stored form of a new name: NFC, without surrounding white space. */
export function plainName(text: string): string {
  return text.normalize('NFC').trim()
}

/** Returns the stored form of a category: that of a name, with one space for any white space within. */
export function plainCategory(text: string): string {
  return plainName(text).replace(/\s+/g, ' ')
}

const ASCII = /^[!-~]*$/

/** Returns the form in which names are compared: NFKC, in lower case, without surrounding white space. */
export function foldedName(written: string): string {
  // A tenth of the time, and what most names are.
  if (ASCII.test(written)) return written.toLowerCase()
  return written.normalize('NFKC').toLowerCase().normalize('NFKC').trim()
}

/** Returns the first character that a new name must not contain, as `U+200B`; undefined if there is none. */
export function hiddenCharacter(name: string): string | undefined {
  const hidden = HIDDEN.exec(name)?.[0] ?? name.replace(ALLOWED_JOINERS, '').match(JOINERS)?.[0]
  return hidden && codeOf(hidden)
}

/**
 * Returns the first control or format character that a new user id must not contain, as `U+001B`; undefined
 * if there is none. Ids stand in terminals, logs and files: those are stricter than titles.
 */
export function unseenCharacter(userId: string): string | undefined {
  const unseen = UNSEEN.exec(userId)?.[0]
  return unseen === undefined ? hiddenCharacter(userId) : codeOf(unseen)
}

function codeOf(character: string): string {
  return `U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`
}

/** Returns a name without joiners: two names must not differ in joiners alone. */
export function skeletonOf(name: string): string {
  return name.replace(JOINERS, '')
}
