/** A picture as pixels of four bytes: red, green, blue, opacity. */
export interface Pixels {
  readonly data: Uint8ClampedArray<ArrayBuffer>
  readonly width: number
  readonly height: number
}

/** Shrinks a picture to a longest side in pixels; each new pixel is the average of those it covers. */
export function shrink(pixels: Pixels, sideMax: number): Pixels {
  const factor = sideMax / Math.max(pixels.width, pixels.height)
  if (factor >= 1) return pixels
  const width = Math.max(1, Math.round(pixels.width * factor))
  const height = Math.max(1, Math.round(pixels.height * factor))
  const data = new Uint8ClampedArray(width * height * 4)
  for (let y = 0; y < height; y++) {
    const [top, bottom] = covered(y, height, pixels.height)
    for (let x = 0; x < width; x++) {
      const [left, right] = covered(x, width, pixels.width)
      data.set(average(pixels, { top, bottom, left, right }), (y * width + x) * 4)
    }
  }
  return { data, width, height }
}

/** Returns which of the old rows or columns a new one covers, at least one. */
function covered(index: number, count: number, countBefore: number): readonly [from: number, to: number] {
  const from = Math.floor((index * countBefore) / count)
  return [from, Math.max(from + 1, Math.floor(((index + 1) * countBefore) / count))]
}

interface Box {
  readonly top: number
  readonly bottom: number
  readonly left: number
  readonly right: number
}

/** Averages the pixels of a box; colours count by their opacity, so that invisible ones leave no edge. */
function average({ data, width }: Pixels, { top, bottom, left, right }: Box): number[] {
  let [red, green, blue, opacity] = [0, 0, 0, 0]
  for (let y = top; y < bottom; y++) {
    for (let x = left; x < right; x++) {
      const at = (y * width + x) * 4
      const alpha = data[at + 3] ?? 0
      red += (data[at] ?? 0) * alpha
      green += (data[at + 1] ?? 0) * alpha
      blue += (data[at + 2] ?? 0) * alpha
      opacity += alpha
    }
  }
  const count = (bottom - top) * (right - left)
  if (opacity === 0) return [0, 0, 0, 0]
  return [red / opacity, green / opacity, blue / opacity, opacity / count]
}
