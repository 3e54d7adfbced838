import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Blob, Face, Feature, Font, shape, Buffer as Text } from 'harfbuzzjs'
import t from 'tap'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const BUILT = join(ROOT, 'dist/src/http/pages/pages')
const BASE = readFileSync(join(ROOT, 'src/web/kit/styles/base.css'), 'utf8')
const HINDI = join(ROOT, 'src/web/texts/hi')
const WHOLE_DEVANAGARI = join(
  ROOT,
  'node_modules/@fontsource-variable/noto-sans-devanagari/files/noto-sans-devanagari-devanagari-wght-normal.woff2',
)
/** The package has no types of its own. */
const SUBSET_FONT: string = 'subset-font'

type Cut = (font: Buffer, text: undefined, options: object) => Promise<Uint8Array>

/** Opens a font of the built pages. */
async function builtFont(name: string): Promise<Font> {
  const file =
    readdirSync(BUILT).find(entry => entry.startsWith(`${name}-`) && entry.endsWith('.woff2')) ?? ''
  const { default: convert } = (await import(SUBSET_FONT)) as { readonly default: Cut }
  const bytes = await convert(readFileSync(join(BUILT, file)), undefined, {
    targetFormat: 'sfnt',
    keepAllGlyphs: true,
  })
  return opened(bytes)
}

function opened(bytes: Uint8Array): Font {
  return new Font(new Face(new Blob(new Uint8Array(bytes).buffer)))
}

/** Returns the glyphs of a text with their widths. */
function glyphs(font: Font, text: string, ...features: readonly string[]) {
  const buffer = new Text()
  buffer.addText(text)
  buffer.guessSegmentProperties()
  shape(
    font,
    buffer,
    features.map(tag => new Feature(tag, 1)),
  )
  const positions = buffer.getGlyphPositions()
  return buffer.getGlyphInfos().map(({ codepoint }, index) => ({
    glyph: codepoint,
    width: positions[index]?.xAdvance ?? 0,
  }))
}

t.test(
  'digits of one width stand in figures only, because hyphens grow as wide as digits with them',
  async t => {
    const font = await builtFont('inter')
    const [plain, tabular] = [glyphs(font, '-')[0], glyphs(font, '-', 'tnum')[0]]
    t.ok((tabular?.width ?? 0) > 1.3 * (plain?.width ?? 0), 'a hyphen between words')
    const documents = readFileSync(join(ROOT, 'src/docs/page/page-style.ts'), 'utf8')
    for (const style of [BASE, documents]) {
      const [, body = ''] = /^body \{([^}]*)\}/m.exec(style) ?? []
      t.match(body, /font-variant-numeric: lining-nums;/)
    }
  },
)

t.test('the font has the rupee sign, and digits of one width where they stand below each other', async t => {
  const font = await builtFont('inter')
  const digits = glyphs(font, '0123456789', 'tnum')
  t.equal(new Set(digits.map(({ width }) => width)).size, 1, 'tabular digits')
  t.not(
    new Set(glyphs(font, '0123456789').map(({ width }) => width)).size,
    1,
    'which it chooses itself otherwise',
  )
  for (const sign of '₹−–…’×·%A~') t.not(glyphs(font, sign)[0]?.glyph, 0, sign)
  const latin = await builtFont('latin')
  for (const sign of 'Àÿ') {
    t.equal(glyphs(font, sign)[0]?.glyph, 0, 'letters of other languages are in files of their own')
    t.not(glyphs(latin, sign)[0]?.glyph, 0, sign)
  }
  t.equal(glyphs(font, 'म')[0]?.glyph, 0, 'as are those of Hindi')
})

t.test('the font of Hindi joins its letters', async t => {
  const font = await builtFont('devanagari')
  for (const word of ['मार्केट', 'क्षत्रिय', 'हाँ', 'नहीं', 'ख़रीदें']) {
    const found = glyphs(font, word)
    t.notOk(
      found.some(({ glyph }) => glyph === 0),
      word,
    )
  }
  t.ok(glyphs(font, 'क्ष').length < [...'क्ष'].length, 'three characters are one glyph')
  const name = await builtFont('hindi-name')
  t.notOk(glyphs(name, 'हिन्दी').some(({ glyph }) => glyph === 0))
  t.same(glyphs(name, 'हिन्दी').length, glyphs(font, 'हिन्दी').length, 'the switch joins them in the same way')
  t.equal(glyphs(name, 'म')[0]?.glyph, 0, 'and has no other letter')
})

t.test('the font of Hindi draws each word of the pages as the whole font does', async t => {
  const { default: convert } = (await import(SUBSET_FONT)) as { readonly default: Cut }
  const options = { targetFormat: 'sfnt', keepAllGlyphs: true, variationAxes: { wght: 400 } }
  const whole = opened(await convert(readFileSync(WHOLE_DEVANAGARI), undefined, options))
  const font = await builtFont('devanagari')
  const widths = (drawn: Font, word: string) => glyphs(drawn, word).map(({ width }) => width)
  const texts = readdirSync(HINDI).map(name => readFileSync(join(HINDI, name), 'utf8'))
  const words = new Set(texts.join('\n').match(/[\u0900-\u097f\u200c\u200d]+/g))
  t.ok(words.size > 1000, `${words.size} words`)
  for (const word of words) t.same(widths(font, word), widths(whole, word), word)
})

/** Returns a colour of the styles in one theme. */
function color(name: string, theme: 'light' | 'dark'): string {
  const [, light = '', dark = ''] = new RegExp(`--${name}: light-dark\\((#\\w+), (#\\w+)\\)`).exec(BASE) ?? []
  return theme === 'light' ? light : dark
}

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map(start => {
    const share = Number.parseInt(hex.slice(start, start + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

t.test('what is chosen, and what cannot be pressed, can be told and read in both themes', async t => {
  const rows: readonly (readonly [one: string, other: string, least: number, what: string])[] = [
    ['ink-soft', 'sunken', 4.5, 'the text of a button that waits'],
    ['ink-soft', 'paper', 4.5, 'soft text'],
    ['ink-faint', 'paper', 4.5, 'faint text'],
    ['ink-faint', 'ground', 4.5, 'faint text on the ground'],
    ['ink-faint', 'sunken', 4.5, 'faint text on sunken ground'],
    ['ink', 'chosen', 7, 'the text of the chosen segment'],
    ['line-strong', 'sunken', 3, 'the edge of the chosen segment'],
    ['ground', 'ink', 7, 'the text of a pressed chip'],
    ['accent', 'paper', 4.5, 'links and marks'],
    ['on-accent', 'accent', 4.5, 'the text on them'],
    ['on-yes', 'yes-fill', 4.5, 'YES'],
    ['on-no', 'no-fill', 4.5, 'NO'],
    ['yes', 'yes-soft', 4.5, 'YES on its ground'],
    ['no', 'no-soft', 4.5, 'NO on its ground'],
  ]
  for (const theme of ['light', 'dark'] as const) {
    for (const [one, other, least, what] of rows) {
      const [darker = 0, lighter = 0] = [one, other]
        .map(name => luminance(color(name, theme)))
        .sort((a, b) => a - b)
      const contrast = (lighter + 0.05) / (darker + 0.05)
      t.ok(contrast >= least, `${theme}: ${what}: ${contrast.toFixed(2)} of ${least}`)
    }
  }
})
