// Cuts the fonts of the pages down to what they show: Inter for Latin text and the rupee sign, Noto Sans Devanagari
// for Hindi. A cut takes two seconds, so it is kept until a font or this file changes.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { HINDI_SYLLABLES } from './hindi-syllables.js'

const CACHE = 'node_modules/.cache/raay-fonts'
const WEIGHTS = { min: 400, max: 700 }

const INTER = {
  name: 'inter',
  file: 'inter-ui/variable/InterVariable.woff2',
  // ASCII, and the signs that texts use.
  ranges: [[0x20, 0x7e]],
  signs: '\u00a0°±²³·¼½¾×÷–—‘’“”•…‹›₹−≤≥≈←↑→↓↗↘▲▼▴▾✓✕',
  // The optical size of small text, pinned.
  axes: { wght: WEIGHTS, opsz: 14 },
  features: ['kern', 'mark', 'mkmk', 'ccmp', 'locl', 'tnum', 'lnum', 'case'],
}
/** The rest of Latin-1, for names and titles in other languages of Europe. */
const LATIN = { ...INTER, name: 'latin', ranges: [[0xa1, 0xff]], signs: '' }
/** The features that join letters of Devanagari. */
const SHAPING = [
  'nukt',
  'akhn',
  'rphf',
  'rkrf',
  'blwf',
  'half',
  'cjct',
  'pres',
  'abvs',
  'blws',
  'psts',
  'haln',
]
const DEVANAGARI = {
  name: 'devanagari',
  file: '@fontsource-variable/noto-sans-devanagari/files/noto-sans-devanagari-devanagari-wght-normal.woff2',
  // The letters of Hindi, Marathi and Nepali, without those of Vedic texts and of languages with few readers here:
  // each brings its conjuncts along, a fifth of the file. The font of the system draws them.
  ranges: [
    [0x901, 0x903],
    [0x905, 0x90b],
    [0x90d, 0x90d],
    [0x90f, 0x911],
    [0x913, 0x928],
    [0x92a, 0x933],
    [0x935, 0x939],
    [0x93c, 0x943],
    [0x945, 0x945],
    [0x947, 0x949],
    [0x94b, 0x94d],
    [0x950, 0x950],
    [0x958, 0x95f],
    [0x964, 0x970],
    [0x972, 0x972],
    [0x200c, 0x200d],
  ],
  signs: '₹',
  // One weight, which browsers embolden: a second one would be 15 kB more, for readers whose system has no letters.
  axes: { wght: 400 },
  // Without the forms of letters that only Marathi and Nepali have.
  features: [...SHAPING, 'abvm', 'blwm', 'dist'],
  // All ligatures that these letters could form would be 9 kB more.
  syllables: HINDI_SYLLABLES,
}
/** The one word of Hindi on English pages: its name, for those who look for it. */
const HINDI_NAME = {
  ...DEVANAGARI,
  name: 'hindi-name',
  syllables: undefined,
  ranges: [],
  signs: 'हिन्दी',
  axes: { wght: 500 },
}
const FONTS = [INTER, LATIN, DEVANAGARI, HINDI_NAME]

/** The files that fonts are cut from, below the root. */
export const FONT_FILES = [INTER, DEVANAGARI].map(({ file }) => `node_modules/${file}`)

/** Returns the cut fonts as WOFF2 files: name and bytes. */
export async function cutFonts(root) {
  return Promise.all(FONTS.map(async font => ({ name: font.name, bytes: await cut(root, font) })))
}

async function cut(root, { name, file, ranges, signs, axes, features, syllables }) {
  const original = readFileSync(join(root, 'node_modules', file))
  const recipe = readFileSync(fileURLToPath(import.meta.url))
  const wanted = syllables?.join() ?? ''
  const key = createHash('sha256').update(original).update(recipe).update(wanted).digest('hex').slice(0, 16)
  const kept = join(root, CACHE, `${name}-${key}.woff2`)
  if (existsSync(kept)) return readFileSync(kept)
  const letters = ranges.flatMap(([from, to]) =>
    Array.from({ length: to - from + 1 }, (_, index) => String.fromCodePoint(from + index)),
  )
  const options = { variationAxes: axes, keepFeatures: features }
  const bytes = await cutTo(original, letters.join('') + signs, options, syllables)
  mkdirSync(join(root, CACHE), { recursive: true })
  writeFileSync(kept, bytes)
  return bytes
}

/** Cuts a font to some letters and, if syllables are given, to the ligatures that those need. */
async function cutTo(original, letters, options, syllables) {
  // Both load WebAssembly, which a build with kept fonts does without.
  const { default: subsetFont } = await import('subset-font')
  if (syllables === undefined) return subsetFont(original, letters, { ...options, targetFormat: 'woff2' })
  const { keepGlyphs } = await import('./keep-glyphs.js')
  const lettered = await subsetFont(original, letters, { ...options, targetFormat: 'truetype' })
  const joined = await keepGlyphs(lettered, letters, syllables)
  return subsetFont(joined, undefined, { targetFormat: 'woff2', keepAllGlyphs: true })
}
