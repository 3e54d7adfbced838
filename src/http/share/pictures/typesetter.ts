import { Blob, Buffer, Face, Font, shape, Variation } from 'harfbuzzjs'

/** The files of the variable fonts. */
export interface FontFiles {
  readonly latin: Uint8Array
  readonly devanagari: Uint8Array
}

/** The outlines of a text in a square of 1 by 1 for each em, and how far it reaches. */
export interface SetText {
  /** Outlines of glyphs in units of their font, each with its place and the size of that unit. */
  readonly glyphs: readonly SetGlyph[]
  /** In ems. */
  readonly width: number
}

export interface SetGlyph {
  readonly outline: string
  /** In ems; upwards is positive. */
  readonly x: number
  readonly y: number
  readonly unit: number
}

export type Weight = 400 | 700

interface Run {
  readonly font: Font
  text: string
}

const DEVANAGARI = /[\u0900-\u097f\u200c\u200d]/u

/** Shapes text as it is written, in Latin and Devanagari letters. Leaves out what neither font has. */
export class Typesetter {
  readonly #fonts: Readonly<Record<Weight, { readonly latin: Font; readonly devanagari: Font }>>

  constructor(files: FontFiles) {
    const latin = new Face(new Blob(files.latin))
    const devanagari = new Face(new Blob(files.devanagari))
    const inWeight = (face: Face, weight: Weight) => {
      const font = new Font(face)
      font.setVariations([new Variation('wght', weight)])
      return font
    }
    const pair = (weight: Weight) => ({
      latin: inWeight(latin, weight),
      devanagari: inWeight(devanagari, weight),
    })
    this.#fonts = { 400: pair(400), 700: pair(700) }
  }

  set(text: string, weight: Weight): SetText {
    const glyphs: SetGlyph[] = []
    let x = 0
    for (const run of this.#runsOf(text, weight)) {
      const unit = 1 / run.font.face.upem
      for (const { codepoint, xAdvance = 0, xOffset = 0, yOffset = 0 } of shaped(run)) {
        const outline = run.font.glyphToPath(codepoint)
        if (outline !== '') glyphs.push({ outline, x: x + xOffset * unit, y: yOffset * unit, unit })
        x += xAdvance * unit
      }
    }
    return { glyphs, width: x }
  }

  /** Returns how far a text reaches, in ems. */
  width(text: string, weight: Weight): number {
    let x = 0
    for (const run of this.#runsOf(text, weight)) {
      for (const { xAdvance = 0 } of shaped(run)) x += xAdvance / run.font.face.upem
    }
    return x
  }

  /** Splits a text into parts of one font each. */
  #runsOf(text: string, weight: Weight): readonly Run[] {
    const { latin, devanagari } = this.#fonts[weight]
    const runs: Run[] = []
    for (const letter of text) {
      const font = DEVANAGARI.test(letter) ? devanagari : latin
      if (font.nominalGlyph(letter.codePointAt(0) ?? 0) === undefined) continue
      const last = runs.at(-1)
      if (last?.font === font) last.text += letter
      else runs.push({ font, text: letter })
    }
    return runs
  }
}

function shaped({ font, text }: Run) {
  const buffer = new Buffer()
  buffer.addText(text)
  buffer.guessSegmentProperties()
  shape(font, buffer)
  return buffer.getGlyphInfosAndPositions()
}
