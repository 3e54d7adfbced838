import { scrypt, timingSafeEqual } from 'node:crypto'
import { plainPassword } from './password-rules.js'

/** The cost of a hash: N = 2^ln, block size and parallelism. */
export interface HashCost {
  readonly ln: number
  readonly r: number
  readonly p: number
}

/** 190 ms and 32 MB on the reference machine. */
const COST: HashCost = { ln: 15, r: 8, p: 3 }
const SALT_BYTES = 16
const HASH_BYTES = 32
const STORED = /^\$scrypt\$ln=(\d+),r=(\d+),p=(\d+)\$([\w-]+)\$([\w-]+)$/
/** libuv has four threads, which also read files: two stay free. */
const RUNNING_MAX = 2
/** Waiting hashes: about three seconds of work. */
const WAITING_MAX = 30

/**
 * Hashes passwords with scrypt, off the main thread. Verifying against nothing hashes as well, so that an
 * unknown name takes as long as a wrong password.
 */
export class Passwords {
  readonly #random: (bytes: number) => Buffer
  readonly #cost: HashCost
  readonly #waiting: (() => void)[] = []
  #running = 0

  constructor(random: (bytes: number) => Buffer, cost: HashCost = COST) {
    this.#random = random
    this.#cost = cost
  }

  /** Returns the text to store, or 'busy' if too many hashes wait. */
  async hash(password: string): Promise<string | 'busy'> {
    const salt = this.#random(SALT_BYTES)
    const derived = await this.#derive(password, salt, this.#cost)
    if (derived === 'busy') return 'busy'
    const { ln, r, p } = this.#cost
    return `$scrypt$ln=${ln},r=${r},p=${p}$${salt.toString('base64url')}$${derived.toString('base64url')}`
  }

  /**
   * Compares a password with a stored hash; `undefined` never matches.
   * @returns 'right_but_cheap' if the hash was made at a lower cost and should be made again
   */
  async verify(
    password: string,
    stored: string | undefined,
  ): Promise<'right' | 'right_but_cheap' | 'wrong' | 'busy'> {
    const parts = stored === undefined ? null : STORED.exec(stored)
    const [, ln, r, p, salt = '', expected = ''] = parts ?? []
    const cost = parts === null ? this.#cost : { ln: Number(ln), r: Number(r), p: Number(p) }
    const saltBytes = parts === null ? Buffer.alloc(SALT_BYTES) : Buffer.from(salt, 'base64url')
    const derived = await this.#derive(password, saltBytes, cost)
    if (derived === 'busy') return 'busy'
    const expectedBytes = parts === null ? Buffer.alloc(HASH_BYTES) : Buffer.from(expected, 'base64url')
    const isEqual = expectedBytes.length === derived.length && timingSafeEqual(expectedBytes, derived)
    if (parts === null || !isEqual) return 'wrong'
    const isCheap = cost.ln < this.#cost.ln || cost.r < this.#cost.r || cost.p < this.#cost.p
    return isCheap ? 'right_but_cheap' : 'right'
  }

  async #derive(password: string, salt: Buffer, cost: HashCost): Promise<Buffer | 'busy'> {
    if (this.#running >= RUNNING_MAX) {
      if (this.#waiting.length >= WAITING_MAX) return 'busy'
      await new Promise<void>(resolve => this.#waiting.push(resolve))
    } else this.#running++
    try {
      return await derive(plainPassword(password), salt, cost)
    } finally {
      // Hands its place to the next one, or gives it back.
      const next = this.#waiting.shift()
      if (next === undefined) this.#running--
      else next()
    }
  }
}

function derive(password: string, salt: Buffer, { ln, r, p }: HashCost): Promise<Buffer> {
  const N = 2 ** ln
  return new Promise((resolve, reject) => {
    // The default of maxmem refuses N 2^15 already.
    scrypt(password, salt, HASH_BYTES, { N, r, p, maxmem: 256 * N * r }, (error, derived) =>
      error === null ? resolve(derived) : reject(error),
    )
  })
}
