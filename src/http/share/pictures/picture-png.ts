import { initWasm, Resvg } from '@resvg/resvg-wasm'

/** Prepares the drawing; to be called once in a thread. */
export async function openDrawing(wasm: Uint8Array<ArrayBuffer>): Promise<void> {
  await initWasm(wasm)
}

/** Draws an SVG without texts as PNG. */
export function pngOf(svg: string): Uint8Array<ArrayBuffer> {
  const drawing = new Resvg(svg, { font: { loadSystemFonts: false } })
  const image = drawing.render()
  try {
    return new Uint8Array(image.asPng())
  } finally {
    image.free()
    drawing.free()
  }
}
