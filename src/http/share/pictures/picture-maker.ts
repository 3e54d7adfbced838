import { Worker } from 'node:worker_threads'
import type { PictureContent } from './picture-content.js'

export type Png = Uint8Array<ArrayBuffer>

/** Draws one picture after the other. */
export interface PictureDrawing {
  draw(content: PictureContent): Promise<Png>
  close(): Promise<unknown>
}

const ENTRY = new URL('./picture-worker.js', import.meta.url)
const BYTES_MAX = 16 * 1024 * 1024
const WAITING_MAX = 16
const DRAWING_MS_MAX = 15_000
/** After this many failures in a row there is a pause, twice as long after each failure more. */
const FAILURES_MAX = 3
const PAUSE_MS = 60_000
const PAUSE_MS_MAX = 60 * 60_000
/** A thread that has drawn nothing for this long ends. */
const IDLE_MS = 60_000

interface Options {
  /** The directory with the fonts and the drawing library. */
  readonly directory: string
  /** A monotonic clock in milliseconds. */
  readonly watch: () => number
  readonly open?: typeof openThread
  readonly bytesMax?: number
  readonly waitingMax?: number
}

/** Keeps pictures, and has missing ones drawn in a thread that ends when there is nothing to draw. */
export class PictureMaker {
  readonly #directory: string
  readonly #watch: () => number
  readonly #open: typeof openThread
  readonly #bytesMax: number
  readonly #waitingMax: number
  /** By what they say, the oldest first. */
  readonly #kept = new Map<string, Png>()
  readonly #underWay = new Map<string, Promise<Png | undefined>>()
  #bytes = 0
  #drawing: PictureDrawing | undefined
  #last: Promise<unknown> = Promise.resolve()
  #idle: ReturnType<typeof setTimeout> | undefined
  #failures = 0
  /** Nothing is drawn before this time. */
  #pausesUntil = Number.NEGATIVE_INFINITY
  #isClosed = false

  constructor(options: Options) {
    const { directory, watch, open = openThread, bytesMax = BYTES_MAX, waitingMax = WAITING_MAX } = options
    this.#directory = directory
    this.#watch = watch
    this.#open = open
    this.#bytesMax = bytesMax
    this.#waitingMax = waitingMax
  }

  /** The bytes of all pictures kept. */
  get bytes(): number {
    return this.#bytes
  }

  /** Resolves to a picture, or to undefined if it cannot be drawn or too many wait. */
  picture(content: PictureContent): Promise<Png | undefined> {
    const key = JSON.stringify(content)
    const kept = this.#kept.get(key)
    if (kept !== undefined) return Promise.resolve(kept)
    const underWay = this.#underWay.get(key)
    if (underWay !== undefined) return underWay
    if (this.#isPaused || this.#underWay.size >= this.#waitingMax) return Promise.resolve(undefined)
    const made = this.#last.then(() => this.#draw(key, content))
    this.#last = made
    this.#underWay.set(key, made)
    return made
  }

  /** Ends the thread; pictures on their way are not drawn. */
  async close(): Promise<void> {
    clearTimeout(this.#idle)
    this.#isClosed = true
    await this.#end()
  }

  get #isPaused(): boolean {
    return this.#isClosed || this.#watch() < this.#pausesUntil
  }

  /** Draws a picture; after a failure the next one gets a new thread. */
  async #draw(key: string, content: PictureContent): Promise<Png | undefined> {
    clearTimeout(this.#idle)
    try {
      if (this.#isPaused) return undefined
      this.#drawing ??= this.#begun()
      const png = await this.#drawing.draw(content)
      this.#failures = 0
      this.#keep(key, png)
      return png
    } catch {
      this.#noteFailure()
      await this.#end()
      return undefined
    } finally {
      this.#underWay.delete(key)
      if (this.#underWay.size === 0) this.#idle = setTimeout(() => void this.#end(), IDLE_MS).unref()
    }
  }

  #begun(): PictureDrawing {
    const drawing = this.#open(this.#directory, () => {
      if (this.#drawing === drawing) this.#drawing = undefined
    })
    return drawing
  }

  #noteFailure(): void {
    this.#failures++
    const more = this.#failures - FAILURES_MAX
    if (more >= 0) this.#pausesUntil = this.#watch() + Math.min(PAUSE_MS * 2 ** more, PAUSE_MS_MAX)
  }

  #keep(key: string, png: Png): void {
    this.#kept.set(key, png)
    this.#bytes += png.length
    for (const [oldest, { length }] of this.#kept) {
      if (this.#bytes <= this.#bytesMax) break
      this.#kept.delete(oldest)
      this.#bytes -= length
    }
  }

  async #end(): Promise<void> {
    const drawing = this.#drawing
    this.#drawing = undefined
    await drawing?.close()
  }
}

/**
 * Starts the thread. Its memory is bounded, and a picture that takes too long ends it.
 *
 * @param ended called once it has ended, which it may while it has nothing to draw
 */
function openThread(directory: string, ended: () => void): PictureDrawing {
  const worker = new Worker(ENTRY, {
    workerData: { directory },
    resourceLimits: { maxOldGenerationSizeMb: 128 },
  })
  worker.unref()
  worker.on('error', () => undefined).once('exit', ended)
  const ready = answerOf(worker)
  return {
    draw: async content => {
      await ready
      const png = answerOf(worker)
      worker.postMessage(content)
      return (await png) as Png
    },
    close: () => worker.terminate(),
  }
}

/** Resolves to the next message of a thread; rejects if it fails or says nothing for too long. */
function answerOf(worker: Worker): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => end(() => reject(new Error('the thread is late'))), DRAWING_MS_MAX)
    const end = (tell: () => void) => {
      clearTimeout(late)
      worker.off('message', onMessage).off('error', onError).off('exit', onExit)
      tell()
    }
    const onMessage = (message: unknown) => end(() => resolve(message))
    const onError = (error: unknown) => end(() => reject(error))
    const onExit = () => end(() => reject(new Error('the thread has ended')))
    worker.once('message', onMessage).once('error', onError).once('exit', onExit)
  })
}
