import { createHash } from 'node:crypto'
import type { MarketCode } from '../core/units.js'
import type { Statement } from '../store/database.js'
import type { SiteContext, SiteRefusal } from './site-context.js'

/** An event has an emoji or a picture; two events with the same picture share its bytes. */
export const EVENT_IMAGES_TABLE = `
  CREATE TABLE pictures (
    name  TEXT PRIMARY KEY,
    bytes BLOB NOT NULL
  ) STRICT;
  CREATE TABLE event_images (
    market  INTEGER PRIMARY KEY,
    emoji   TEXT,
    picture TEXT REFERENCES pictures,
    CHECK ((emoji IS NULL) <> (picture IS NULL))
  ) STRICT;
  CREATE INDEX event_images_of ON event_images (picture);
`

/** Bytes of all pictures: some 10,000 of them. */
const BYTES_MAX = 512_000_000
const NAME_LENGTH = 32

interface Row {
  readonly market: MarketCode
  readonly emoji: string | null
  readonly picture: string | null
}

/** The pictures and emoji of events. */
export class EventImages {
  readonly #context: SiteContext
  readonly #bytesMax: number
  readonly #all: Statement<Row>
  readonly #put: Statement
  readonly #delete: Statement
  readonly #putPicture: Statement
  readonly #picture: Statement<Buffer>
  readonly #forget: Statement
  #bytes: number

  constructor(context: SiteContext, bytesMax = BYTES_MAX) {
    const { database } = context
    this.#context = context
    this.#bytesMax = bytesMax
    this.#all = database.prepare('SELECT market, emoji, picture FROM event_images')
    this.#put = database.prepare(
      `INSERT INTO event_images VALUES (?, ?, ?)
       ON CONFLICT (market) DO UPDATE SET emoji = excluded.emoji, picture = excluded.picture`,
    )
    this.#delete = database.prepare('DELETE FROM event_images WHERE market = ?')
    this.#putPicture = database.prepare('INSERT INTO pictures VALUES (?, ?) ON CONFLICT DO NOTHING')
    this.#picture = database.prepare<unknown[], Buffer>('SELECT bytes FROM pictures WHERE name = ?').pluck()
    this.#forget = database.prepare(
      'DELETE FROM pictures WHERE name NOT IN (SELECT picture FROM event_images WHERE picture IS NOT NULL)',
    )
    this.#bytes = this.#countBytes()
  }

  /** Returns the image of each event that has one. */
  all(): (readonly [market: MarketCode, image: string])[] {
    return this.#all.all().map(({ market, emoji, picture }) => [market, emoji ?? addressOf(picture ?? '')])
  }

  /** Gives an event an emoji, in place of the image that it has. */
  putEmoji(market: MarketCode, emoji: string): { readonly image: string } | SiteRefusal {
    const refusal = this.#context.growthRefusal()
    if (refusal !== undefined) return refusal

    // After this point the row is written.
    this.#write(() => this.#put.run(market, emoji, null))
    return { image: emoji }
  }

  /** Gives an event a picture, in place of the image that it has; its name is the hash of its bytes. */
  putPicture(market: MarketCode, bytes: Uint8Array): { readonly image: string } | SiteRefusal {
    if (this.#bytes + bytes.length > this.#bytesMax) return 'site_full'
    const refusal = this.#context.growthRefusal()
    if (refusal !== undefined) return refusal

    // After this point the rows are written.
    const name = createHash('sha256').update(bytes).digest('hex').slice(0, NAME_LENGTH)
    this.#write(() => {
      this.#putPicture.run(name, bytes)
      this.#put.run(market, null, name)
    })
    return { image: addressOf(name) }
  }

  /** Removes the image of an event; removing it again changes nothing. */
  remove(market: MarketCode): void {
    this.#write(() => this.#delete.run(market))
  }

  /** Returns the bytes of a picture. */
  picture(name: string): Buffer | undefined {
    return this.#picture.get(name)
  }

  /** Changes rows, and deletes the pictures that no event shows any more. */
  #write(change: () => unknown): void {
    this.#context.database.transaction(() => {
      change()
      this.#forget.run()
    })()
    this.#bytes = this.#countBytes()
  }

  #countBytes(): number {
    const { database } = this.#context
    return (
      database
        .prepare<unknown[], number>('SELECT ifnull(sum(length(bytes)), 0) FROM pictures')
        .pluck()
        .get() ?? 0
    )
  }
}

function addressOf(name: string): string {
  return `/pictures/${name}.webp`
}
