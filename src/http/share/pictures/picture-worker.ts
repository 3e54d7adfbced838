import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { assert } from '../../../core/assert.js'
import type { PictureContent } from './picture-content.js'
import { openDrawing, pngOf } from './picture-png.js'
import { pictureSvg } from './picture-svg.js'
import { Typesetter } from './typesetter.js'

const { directory } = workerData as { readonly directory: string }
const read = (name: string) => new Uint8Array(readFileSync(join(directory, name)))

const port = parentPort
assert(port !== null, 'the pictures are drawn in a thread of their own')
const typesetter = new Typesetter({
  latin: read('share-latin.ttf'),
  devanagari: read('share-devanagari.ttf'),
})
await openDrawing(read('resvg.wasm'))
port.on('message', (content: PictureContent) => {
  const png = pngOf(pictureSvg(content, typesetter))
  port.postMessage(png, [png.buffer])
})
port.postMessage('ready')
