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
  readonly #one: Statement<Row>
  readonly #put: Statement
  readonly #delete: Statement
  readonly #putPicture: Statement
  readonly #picture: Statement<Buffer>
  readonly #shown: Statement<string | null>
  readonly #forget: Statement<number>
  #bytes: number

  constructor(context: SiteContext, bytesMax = BYTES_MAX) {
    const { database } = context
    this.#context = context
    this.#bytesMax = bytesMax
    this.#all = database.prepare('SELECT market, emoji, picture FROM event_images')
    this.#one = database.prepare('SELECT market, emoji, picture FROM event_images WHERE market = ?')
    this.#put = database.prepare(
      `INSERT INTO event_images VALUES (?, ?, ?)
       ON CONFLICT (market) DO UPDATE SET emoji = excluded.emoji, picture = excluded.picture`,
    )
    this.#delete = database.prepare('DELETE FROM event_images WHERE market = ?')
    this.#putPicture = database.prepare('INSERT INTO pictures VALUES (?, ?) ON CONFLICT DO NOTHING')
    this.#picture = database.prepare<unknown[], Buffer>('SELECT bytes FROM pictures WHERE name = ?').pluck()
    this.#shown = database
      .prepare<unknown[], string | null>('SELECT picture FROM event_images WHERE market = ?')
      .pluck()
    this.#forget = database
      .prepare<unknown[], number>(
        `DELETE FROM pictures
         WHERE name = ? AND NOT EXISTS (SELECT 1 FROM event_images WHERE picture = pictures.name)
         RETURNING length(bytes)`,
      )
      .pluck()
    const count = database.prepare<unknown[], number>('SELECT ifnull(sum(length(bytes)), 0) FROM pictures')
    this.#bytes = count.pluck().get() ?? 0
  }

  /** Returns the image of each event that has one. */
  all(): (readonly [market: MarketCode, image: string])[] {
    return this.#all.all().map(row => [row.market, imageOf(row)])
  }

  /** Returns the image of an event. */
  of(market: MarketCode): string | undefined {
    const row = this.#one.get(market)
    return row && imageOf(row)
  }

  /** Gives an event an emoji, in place of the image that it has. */
  putEmoji(market: MarketCode, emoji: string): { readonly image: string } | SiteRefusal {
    const refusal = this.#context.growthRefusal()
    if (refusal !== undefined) return refusal

    // After this point the row is written.
    this.#write(market, () => {
      this.#put.run(market, emoji, null)
      return 0
    })
    return { image: emoji }
  }

  /** Gives an event a picture, in place of the image that it has; its name is the hash of its bytes. */
  putPicture(market: MarketCode, bytes: Uint8Array): { readonly image: string } | SiteRefusal {
    if (this.#bytes + bytes.length > this.#bytesMax) return 'site_full'
    const refusal = this.#context.growthRefusal()
    if (refusal !== undefined) return refusal

    // After this point the rows are written.
    const name = createHash('sha256').update(bytes).digest('hex').slice(0, NAME_LENGTH)
    this.#write(market, () => {
      const { changes } = this.#putPicture.run(name, bytes)
      this.#put.run(market, null, name)
      return changes * bytes.length
    })
    return { image: addressOf(name) }
  }

  /** Removes the image of an event; removing it again changes nothing. */
  remove(market: MarketCode): void {
    this.#write(market, () => {
      this.#delete.run(market)
      return 0
    })
  }

  /** Returns the bytes of a picture. */
  picture(name: string): Buffer | undefined {
    return this.#picture.get(name)
  }

  /** Changes an event's rows, and deletes the picture that it showed if no other event does. */
  #write(market: MarketCode, change: () => number): void {
    this.#bytes += this.#context.database.transaction(() => {
      const before = this.#shown.get(market)
      const added = change()
      return added - (this.#forget.get(before ?? null) ?? 0)
    })()
  }
}

function imageOf({ emoji, picture }: Row): string {
  return emoji ?? addressOf(picture ?? '')
}

function addressOf(name: string): string {
  return `/pictures/${name}.webp`
}
