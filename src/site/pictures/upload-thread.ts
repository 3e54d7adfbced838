import { parentPort } from 'node:worker_threads'
import { decode, encode } from './codecs.js'
import type { PictureKind } from './picture-size.js'
import { shrink } from './shrink.js'

/** A picture for the thread; it answers with the bytes of the new one, or undefined for a damaged one. */
export interface PictureTask {
  readonly kind: PictureKind
  readonly bytes: ArrayBuffer
  readonly sideMax: number
}

parentPort?.on('message', async ({ kind, bytes, sideMax }: PictureTask) => {
  try {
    const made = await encode(shrink(await decode(kind, bytes), sideMax))
    parentPort?.postMessage(made, [made.buffer])
  } catch (error) {
    // The picture is not to blame if its codec cannot be read, for instance because files run out.
    if ((error as NodeJS.ErrnoException).syscall !== undefined) throw error
    parentPort?.postMessage(undefined)
  }
})
