import { imageSize } from 'image-size'

export type PictureKind = 'png' | 'jpeg' | 'webp'

/** The kind and the size in pixels of a picture. */
export interface PictureSize {
  readonly kind: PictureKind
  readonly width: number
  readonly height: number
}

/** Why a picture is refused. */
export type PictureRefusal = 'kind_unknown' | 'too_many_pixels' | 'picture_damaged' | 'pictures_busy'

/** A picture of this many pixels takes 16 MB decoded. */
const PIXELS_MAX = 4_000_000
const SIDE_MAX = 16_000

/** Reads what a picture says of itself, without decoding it; refuses what nobody should decode. */
export function sizeOfPicture(bytes: Uint8Array): PictureSize | PictureRefusal {
  const kind = kindOf(bytes)
  if (kind === undefined) return 'kind_unknown'
  const size = declaredSize(bytes)
  if (size === undefined) return 'picture_damaged'
  const { width, height } = size
  if (!(Number.isSafeInteger(width) && Number.isSafeInteger(height) && width > 0 && height > 0)) {
    return 'picture_damaged'
  }
  const isTooLarge = width > SIDE_MAX || height > SIDE_MAX || width * height > PIXELS_MAX
  return isTooLarge ? 'too_many_pixels' : { kind, width, height }
}

function declaredSize(bytes: Uint8Array): { readonly width: number; readonly height: number } | undefined {
  try {
    return imageSize(bytes)
  } catch {
    return undefined
  }
}

/** Recognises a picture by its first bytes; never SVG, which can carry scripts. */
function kindOf(bytes: Uint8Array): PictureKind | undefined {
  if (startsWith(bytes, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])) return 'png'
  if (startsWith(bytes, [0xff, 0xd8, 0xff])) return 'jpeg'
  const isRiff = startsWith(bytes, [0x52, 0x49, 0x46, 0x46])
  return isRiff && startsWith(bytes.subarray(8), [0x57, 0x45, 0x42, 0x50]) ? 'webp' : undefined
}

function startsWith(bytes: Uint8Array, signature: readonly number[]): boolean {
  return signature.every((byte, index) => bytes[index] === byte)
}
