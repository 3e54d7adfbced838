import type { DeskMarket } from '../exchange/markets/desk-market.js'
import type { KeptText } from './middleware/kept-text.js'
import { TextShelf } from './text-shelf.js'

/**
 * An event as a page shows it. What changes is replaced as a whole, and every visible change of a book also
 * replaces the progress.
 */
export interface Shown extends Pick<DeskMarket, 'terms' | 'listing' | 'progress' | 'resolved' | 'image'> {
  readonly market: DeskMarket
  readonly traders: number
  /** True if the figures of the day include the trades from before a start, which are read behind it. */
  readonly isFilled: boolean
}

/** The events of a page and one more if the list continues; or, if the search for more stopped, its place. */
export interface EventRows {
  readonly rows: readonly DeskMarket[]
  readonly next: string | null
}

interface Version {
  /** The events whose texts were written for the page. */
  readonly shown: readonly Shown[]
  /** How many events it was made from, which decides whether the list continues. */
  readonly rowCount: number
  readonly next: string | null
}

/** Keeps pages of the list of events as texts until an event on them changes, or the list itself. */
export class EventPages {
  readonly #tradersOf: (market: DeskMarket) => number
  readonly #texts: TextShelf<Version>

  /** @param lengthMax characters kept in all */
  constructor(tradersOf: (market: DeskMarket) => number, lengthMax?: number) {
    this.#tradersOf = tradersOf
    this.#texts = new TextShelf(lengthMax)
  }

  /** Returns the page kept under a key if it shows these events as they are now. */
  find(key: string, { rows, next }: EventRows): KeptText | undefined {
    const known = this.#texts.find(key)
    if (known === undefined || known.version.rowCount !== rows.length) return undefined
    if (known.version.next !== next) return undefined
    const isCurrent = known.version.shown.every((shown, index) => this.#isCurrent(shown, rows[index]))
    return isCurrent ? known.kept : undefined
  }

  /** Notes an event as it is shown now. */
  note(market: DeskMarket): Shown {
    const { terms, listing, progress, resolved, image, day } = market
    const traders = this.#tradersOf(market)
    return { market, terms, listing, progress, resolved, image, traders, isFilled: day.isFilled }
  }

  keep(key: string, { rows, next }: EventRows, shown: readonly Shown[], text: string): KeptText {
    return this.#texts.keep(key, { shown, rowCount: rows.length, next }, text)
  }

  #isCurrent(shown: Shown, market: DeskMarket | undefined): boolean {
    return (
      market === shown.market &&
      market.progress === shown.progress &&
      market.terms === shown.terms &&
      market.listing === shown.listing &&
      market.resolved === shown.resolved &&
      market.image === shown.image &&
      market.day.isFilled === shown.isFilled &&
      this.#tradersOf(market) === shown.traders
    )
  }
}
