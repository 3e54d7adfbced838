// Cuts a font down to the glyphs that some texts are drawn with. A cut by letters alone keeps every ligature that its
// letters could form; HarfBuzz can also keep a list of glyphs, and drops the rules that need others.
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { Blob, Buffer as Text, Face, Font, shape } from 'harfbuzzjs'

const WASM = 'harfbuzzjs/dist/harfbuzz-subset.wasm'
/** Numbers of HarfBuzz’s own headers. */
const MEMORY_WRITABLE = 2
const SETS = { glyphs: 0, layoutFeatures: 6 }
const NO_LAYOUT_CLOSURE = 0x200

/** Returns the numbers of the glyphs that texts are drawn with. */
function glyphsOf(font, texts) {
  const shaper = new Font(new Face(new Blob(Uint8Array.from(font).buffer)))
  const found = new Set()
  for (const text of texts) {
    const buffer = new Text()
    buffer.addText(text)
    buffer.guessSegmentProperties()
    shape(shaper, buffer)
    for (const { codepoint } of buffer.getGlyphInfos()) found.add(codepoint)
  }
  return found
}

/** Returns a TrueType font with the letters of a text, and with no other ligature than the texts need. */
export async function keepGlyphs(font, letters, texts) {
  const { instance } = await WebAssembly.instantiate(await readFile(fileURLToPath(import.meta.resolve(WASM))))
  const harfbuzz = instance.exports
  harfbuzz._initialize()
  const memory = () => new Uint8Array(harfbuzz.memory.buffer)
  const place = harfbuzz.malloc(font.byteLength)
  memory().set(font, place)
  const face = harfbuzz.hb_face_create(
    harfbuzz.hb_blob_create(place, font.byteLength, MEMORY_WRITABLE, 0, 0),
    0,
  )
  const input = harfbuzz.hb_subset_input_create_or_fail()
  const features = harfbuzz.hb_subset_input_set(input, SETS.layoutFeatures)
  harfbuzz.hb_set_clear(features)
  harfbuzz.hb_set_invert(features)
  const unicodes = harfbuzz.hb_subset_input_unicode_set(input)
  for (const letter of letters) harfbuzz.hb_set_add(unicodes, letter.codePointAt(0))
  const glyphs = harfbuzz.hb_subset_input_set(input, SETS.glyphs)
  for (const glyph of glyphsOf(font, texts)) harfbuzz.hb_set_add(glyphs, glyph)
  harfbuzz.hb_subset_input_set_flags(input, harfbuzz.hb_subset_input_get_flags(input) | NO_LAYOUT_CLOSURE)
  const cut = harfbuzz.hb_subset_or_fail(face, input)
  if (cut === 0) throw new Error('HarfBuzz could not cut the font')
  const blob = harfbuzz.hb_face_reference_blob(cut)
  const start = harfbuzz.hb_blob_get_data(blob, 0)
  // A copy: the memory goes with the instance.
  return Buffer.from(memory().slice(start, start + harfbuzz.hb_blob_get_length(blob)))
}
