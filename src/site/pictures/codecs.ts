import { readFileSync } from 'node:fs'
import decodeJpeg, { init as initJpeg } from '@jsquash/jpeg/decode.js'
import decodePng, { init as initPng } from '@jsquash/png/decode.js'
import decodeWebp, { init as initWebp } from '@jsquash/webp/decode.js'
import encodeWebp, { init as initEncoder } from '@jsquash/webp/encode.js'
import type { PictureKind } from './picture-size.js'
import type { Pixels } from './shrink.js'

const QUALITY = 82

/** Node has it; the types of Node do not say so. */
const { WebAssembly: Wasm } = globalThis as unknown as {
  readonly WebAssembly: { readonly Module: new (bytes: Uint8Array) => object }
}

/** Compiles a codec, which the build puts beside this file. */
function compiled(name: string): never {
  return new Wasm.Module(readFileSync(new URL(`./codecs/${name}.wasm`, import.meta.url))) as never
}

const DECODERS: Readonly<Record<PictureKind, (bytes: ArrayBuffer) => Promise<Pixels>>> = {
  png: async bytes => {
    await initPng(compiled('squoosh_png_bg'))
    return decodePng(bytes) as Promise<Pixels>
  },
  jpeg: async bytes => {
    await initJpeg(compiled('mozjpeg_dec'))
    // A camera says in the metadata how to turn the picture, and that is dropped.
    return decodeJpeg(bytes, { preserveOrientation: true }) as Promise<Pixels>
  },
  webp: async bytes => {
    await initWebp(compiled('webp_dec'))
    return decodeWebp(bytes) as Promise<Pixels>
  },
}

/** Decodes a picture. Throws if it is damaged. */
export function decode(kind: PictureKind, bytes: ArrayBuffer): Promise<Pixels> {
  return DECODERS[kind](bytes)
}

/** Encodes pixels as WebP, without metadata. Every Node that Raay runs on has this codec's instructions. */
export async function encode(pixels: Pixels): Promise<Uint8Array<ArrayBuffer>> {
  await initEncoder(compiled('webp_enc_simd'))
  return new Uint8Array(await encodeWebp(pixels as never, { quality: QUALITY }))
}
