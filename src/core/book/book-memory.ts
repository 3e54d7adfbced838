/// <reference lib="es2024.sharedmemory" />

/** Enough for the levels, the index and the first fifty orders of a market whose prices cluster. */
const FIRST_BYTES = 8192
const COPIED_BYTES_MAX = 256 * 1024
const STEP_BYTES = 1024 * 1024
const RESERVED_BYTES = 256 * 1024 * 1024

/** Books that grow in place, and the most that may. */
interface InPlace {
  count: number
  readonly max: number
}

/**
 * Those of this thread. Each takes two of the 65,530 mappings that Linux gives a process, and the follower
 * has each book of every shard again.
 */
const IN_PLACE: InPlace = { count: 0, max: 1000 }

/**
 * The one array in which a book keeps its levels, orders and index. It is handed out from the front and never
 * given back: each of them uses its freed parts again.
 *
 *   ints      0     1     2     3     4     5     6     7     …    offsets count in these and are even
 *   doubles   0           1           2           3           …    the same bytes: n is ints 2n and 2n + 1
 *
 * Growth must not hold up the market. Up to 256 KB the array is copied into one twice its size. Beyond, it
 * is a growable buffer, which takes another megabyte at its end and leaves in place what it holds. The buffer
 * is not shared with anyone: V8 has fast views of growable buffers only for the shared kind, which cannot
 * shrink. A thread has a bounded number of these; other large books go on being copied.
 */
export class BookMemory {
  ints = new Int32Array(0)
  doubles = new Float64Array(0)
  #buffer: ArrayBuffer | SharedArrayBuffer = new ArrayBuffer(0)
  #used = 0
  readonly #inPlace: InPlace

  constructor(inPlace = IN_PLACE) {
    this.#inPlace = inPlace
  }

  /** Returns the offset of `length` ints, an even number, each `value`. May replace `ints` and `doubles`. */
  allocate(length: number, value: number): number {
    const offset = this.#used
    this.#used += length
    while (this.#used > this.ints.length) this.#grow()
    this.ints.fill(value, offset, this.#used)
    return offset
  }

  /** Gives everything back. */
  release(): void {
    if (this.#buffer instanceof SharedArrayBuffer) this.#inPlace.count--
    this.#used = 0
    this.#view(new ArrayBuffer(0))
  }

  #grow(): void {
    const buffer = this.#buffer
    const bytes = buffer.byteLength
    if (2 * bytes <= COPIED_BYTES_MAX) {
      this.#moveTo(new ArrayBuffer(Math.max(FIRST_BYTES, 2 * bytes)))
    } else if (buffer instanceof SharedArrayBuffer && bytes + STEP_BYTES <= buffer.maxByteLength) {
      buffer.grow(bytes + STEP_BYTES)
      this.#view(buffer)
    } else if (!(buffer instanceof SharedArrayBuffer) && this.#inPlace.count >= this.#inPlace.max) {
      this.#moveTo(new ArrayBuffer(2 * bytes))
    } else {
      if (!(buffer instanceof SharedArrayBuffer)) this.#inPlace.count++
      // Reserves addresses, not memory.
      const maxByteLength = Math.max(RESERVED_BYTES, 4 * bytes)
      this.#moveTo(new SharedArrayBuffer(bytes + STEP_BYTES, { maxByteLength }))
    }
  }

  #moveTo(buffer: ArrayBuffer | SharedArrayBuffer): void {
    const { ints } = this
    this.#view(buffer)
    this.ints.set(ints)
  }

  /** Views the whole buffer. Only views with a length of their own are fast; they do not grow with it. */
  #view(buffer: ArrayBuffer | SharedArrayBuffer): void {
    this.#buffer = buffer
    this.ints = new Int32Array(buffer as ArrayBuffer, 0, buffer.byteLength / 4)
    this.doubles = new Float64Array(buffer as ArrayBuffer, 0, buffer.byteLength / 8)
  }
}
