// Writes what the pictures of shared links are drawn with: the letters of two fonts, and the library that draws.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import subsetFont from 'subset-font'

const WEIGHTS = { min: 400, max: 700 }
const FONTS = [
  {
    name: 'share-latin.ttf',
    path: 'node_modules/inter-ui/variable/InterVariable.woff2',
    axes: { wght: WEIGHTS, opsz: 32 },
    ranges: [
      [0x20, 0x7e],
      [0xa0, 0x17f],
      [0x391, 0x3c9],
      [0x400, 0x45f],
      [0x2010, 0x2027],
      [0x2030, 0x203a],
      [0x20a0, 0x20bf],
      [0x2122, 0x2122],
      [0x2190, 0x2193],
      [0x2212, 0x2212],
      [0x2248, 0x2265],
    ],
  },
  {
    name: 'share-devanagari.ttf',
    path: 'node_modules/@fontsource-variable/noto-sans-devanagari/files/noto-sans-devanagari-devanagari-wght-normal.woff2',
    axes: { wght: WEIGHTS },
    ranges: [
      [0x20, 0x20],
      [0x900, 0x97f],
      [0x200c, 0x200d],
      [0x25cc, 0x25cc],
    ],
  },
]
/** Cutting a font takes a second, so the result is kept. */
const KEPT = 'node_modules/.cache/raay-share'
const DRAWING = 'node_modules/@resvg/resvg-wasm/index_bg.wasm'

/**
 * Writes the fonts and the drawing library into a directory, and returns the picture for links without one of
 * their own.
 */
export async function writeShareFiles(root, target) {
  for (const font of FONTS) writeFileSync(join(target, font.name), await cutFont(root, font))
  writeFileSync(join(target, 'resvg.wasm'), readFileSync(join(root, DRAWING)))
  return plainPicture(target)
}

async function cutFont(root, { name, path, axes, ranges }) {
  const source = readFileSync(join(root, path))
  const hash = createHash('sha256')
    .update(source)
    .update(JSON.stringify([axes, ranges]))
    .digest('hex')
  const kept = join(root, KEPT, `${hash.slice(0, 16)}-${name}`)
  if (existsSync(kept)) return readFileSync(kept)
  const letters = ranges.flatMap(([first, last]) =>
    Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index)),
  )
  const cut = await subsetFont(source, letters.join(''), { targetFormat: 'sfnt', variationAxes: axes })
  mkdirSync(join(root, KEPT), { recursive: true })
  writeFileSync(kept, cut)
  return cut
}

/** Draws the picture of the site itself, with the code that the exchange draws with. */
async function plainPicture(target) {
  const of = name => import(new URL(`../dist/src/http/share/pictures/${name}.js`, import.meta.url).href)
  const [{ Typesetter }, { pictureSvg }, { openDrawing, pngOf }] = await Promise.all(
    ['typesetter', 'picture-svg', 'picture-png'].map(of),
  )
  const read = name => new Uint8Array(readFileSync(join(target, name)))
  const files = { latin: read('share-latin.ttf'), devanagari: read('share-devanagari.ttf') }
  await openDrawing(read('resvg.wasm'))
  const content = {
    site: 'Raay',
    title: 'Trade on what happens next',
    headline: 'YES or NO',
    label: 'Price = probability',
    detail: '',
    color: '#1b4fd0',
    tone: 'yes',
    trend: [],
  }
  return pngOf(pictureSvg(content, new Typesetter(files)))
}
