import { crc32, deflateSync } from 'node:zlib'
import { rgbOf } from './site-colors.js'

/** The mark is drawn on a square of this side. */
const SIDE = 32
const CORNER = 8
const LINE: readonly (readonly [x: number, y: number])[] = [
  [8, 21],
  [14, 14],
  [18, 18],
  [24, 10],
]
const LINE_WIDTH = 3
const SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
const ICO_HEAD_BYTES = 22

/** Returns Raay's mark, or an emoji, as an SVG. */
export function iconSvg(color: string, emoji: string | undefined): string {
  const head = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${SIDE} ${SIDE}">`
  if (emoji !== undefined) {
    const place = 'x="16" y="17" font-size="26" text-anchor="middle" dominant-baseline="central"'
    return `${head}<text ${place}>${emoji}</text></svg>`
  }
  const points = LINE.map(point => point.join(' ')).join('L')
  const stroke = `stroke-width="${LINE_WIDTH}" stroke-linecap="round" stroke-linejoin="round"`
  return (
    `${head}<rect width="${SIDE}" height="${SIDE}" rx="${CORNER}" fill="${color}"/>` +
    `<path d="M${points}" fill="none" stroke="#fff" ${stroke}/></svg>`
  )
}

/** Returns Raay's mark as a PNG; a square one has no round corners, which systems cut themselves. */
export function markPng(color: string, size: number, shape: 'round' | 'square'): Uint8Array<ArrayBuffer> {
  const [red, green, blue] = rgbOf(color)
  const rowBytes = 1 + size * 4
  const rows = new Uint8Array(rowBytes * size)
  for (let row = 0; row < size; row++) {
    for (let column = 0; column < size; column++) {
      const [x, y] = [((column + 0.5) * SIDE) / size, ((row + 0.5) * SIDE) / size]
      const cover = (distance: number) => Math.min(1, Math.max(0, 0.5 - (distance * size) / SIDE))
      const white = cover(
        segmentDistances(x, y).reduce((least, distance) => Math.min(least, distance)) - LINE_WIDTH / 2,
      )
      const mix = (part: number) => Math.round(part + (255 - part) * white)
      const alpha = shape === 'square' ? 1 : cover(cornerDistance(x, y))
      rows.set([mix(red), mix(green), mix(blue), Math.round(alpha * 255)], row * rowBytes + 1 + column * 4)
    }
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(size, 0)
  header.writeUInt32BE(size, 4)
  // Eight bits for each of red, green, blue and opacity.
  header.set([8, 6], 8)
  return joined([SIGNATURE, ...chunk('IHDR', header), ...chunk('IDAT', deflateSync(rows)), ...chunk('IEND')])
}

/** Returns an icon file that holds one PNG. */
export function icoOf(png: Uint8Array, size: number): Uint8Array<ArrayBuffer> {
  const head = Buffer.alloc(ICO_HEAD_BYTES)
  head.set([0, 0, 1, 0, 1, 0, size, size, 0, 0, 1, 0, 32, 0])
  head.writeUInt32LE(png.length, 14)
  head.writeUInt32LE(ICO_HEAD_BYTES, 18)
  return joined([head, png])
}

function segmentDistances(x: number, y: number): number[] {
  return LINE.slice(1).map(([toX, toY], index) => {
    const [fromX, fromY] = LINE[index] ?? [toX, toY]
    const [alongX, alongY] = [toX - fromX, toY - fromY]
    const share = ((x - fromX) * alongX + (y - fromY) * alongY) / (alongX ** 2 + alongY ** 2)
    const nearest = Math.min(1, Math.max(0, share))
    return Math.hypot(x - fromX - nearest * alongX, y - fromY - nearest * alongY)
  })
}

/** Returns the distance from the round square, negative inside. */
function cornerDistance(x: number, y: number): number {
  const [outX, outY] = [x, y].map(place => Math.abs(place - SIDE / 2) - (SIDE / 2 - CORNER))
  return Math.hypot(Math.max(0, outX ?? 0), Math.max(0, outY ?? 0)) - CORNER
}

function chunk(name: string, data: Uint8Array = new Uint8Array()): Uint8Array[] {
  const body = joined([Buffer.from(name, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return [length, body, sum]
}

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.concat(parts))
}
