import { Worker } from 'node:worker_threads'
import type { PictureRefusal } from './picture-size.js'
import { sizeOfPicture } from './picture-size.js'
import type { PictureTask } from './upload-thread.js'

/** The longer side of a picture, in pixels. */
const SIDE_MAX = 640
const TIMEOUT_MS = 15_000
/** Pictures that wait or are being made; each holds its upload in memory. */
const WAITING_MAX = 8
const OUT_OF_MEMORY = 'ERR_WORKER_OUT_OF_MEMORY'

/** Makes pictures one at a time, each in a new thread that ends with it. */
export class UploadMaker {
  readonly #run: typeof inThread
  #last: Promise<unknown> = Promise.resolve()
  #waiting = 0

  constructor(run = inThread) {
    this.#run = run
  }

  /** Returns the picture, shrunk and encoded as WebP, or why it is refused. */
  async make(upload: Uint8Array): Promise<Uint8Array | PictureRefusal> {
    const size = sizeOfPicture(upload)
    if (typeof size === 'string') return size
    if (this.#waiting >= WAITING_MAX) return 'pictures_busy'
    this.#waiting++
    // A copy, since the thread takes the memory with it.
    const bytes = new Uint8Array(upload).buffer
    const made = this.#last.then(() => this.#run({ kind: size.kind, bytes, sideMax: SIDE_MAX }))
    // A failure of this one must not keep the next from being made.
    this.#last = made.catch(() => undefined)
    try {
      return (await made) ?? 'picture_damaged'
    } catch {
      // The system gives the process no further thread or file at present.
      return 'pictures_busy'
    } finally {
      this.#waiting--
    }
  }
}

/**
 * Makes a picture in a thread; undefined if it is damaged, takes too long or needs too much memory. Rejects
 * if no thread can be started, or it cannot read what it needs.
 */
function inThread(task: PictureTask): Promise<Uint8Array | undefined> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(new URL('./upload-thread.js', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: 128 },
      // The codecs write what they think of a damaged picture.
      stdout: true,
      stderr: true,
    })
    const timer = setTimeout(() => end(undefined), TIMEOUT_MS)
    const end = (made: Uint8Array | undefined) => {
      clearTimeout(timer)
      void thread.terminate()
      resolve(made)
    }
    thread.on('message', (made: Uint8Array | undefined) => end(made))
    thread.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== OUT_OF_MEMORY) reject(error)
      end(undefined)
    })
    thread.on('exit', () => end(undefined))
    thread.postMessage(task, [task.bytes])
  })
}
