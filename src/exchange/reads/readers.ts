import { openAll } from '../../shard/open-all.js'
import type { EndedSource } from '../markets/ended-units.js'
import type { Sources } from '../sources.js'
import { DayTrails } from './day-trails.js'
import type { FreshRows } from './fresh-rows.js'
import type { History, TablesWait } from './history.js'
import { openInlineHistory, openThreadedHistory } from './history.js'
import type { Lookups } from './lookups.js'
import { openInlineLookups, openThreadedLookups } from './lookups.js'

interface Options {
  readonly file: string
  /** Rows that the tables may not include yet. */
  readonly fresh: FreshRows
  /** Waits until the tables include what memory includes. */
  readonly tables: TablesWait
  /** Reads what memory has forgotten, in this thread. */
  readonly forgotten: Pick<EndedSource, 'close'> | undefined
  /** True if each reader runs in its own thread. */
  readonly threads: boolean
  readonly sources: Sources
  readonly fail: (error: Error) => void
}

/** The readers of the disk: pages of history, rows that requests wait for, and what memory has forgotten. */
export class Readers {
  readonly history: History
  readonly lookups: Lookups
  readonly days: DayTrails
  readonly #forgotten: Options['forgotten']

  private constructor(history: History, lookups: Lookups, { forgotten }: Options) {
    this.history = history
    this.lookups = lookups
    this.days = new DayTrails(history)
    this.#forgotten = forgotten
  }

  /** Opens them; resolves when they are ready. */
  static async open(options: Options): Promise<Readers> {
    const { file, fresh, tables, threads, sources, fail } = options
    const watch = () => sources.watch()
    if (!threads) {
      return new Readers(openInlineHistory(file, tables, watch), openInlineLookups(file, fresh), options)
    }
    const [history, lookups] = await openAll([
      openThreadedHistory(file, tables, watch, fail),
      openThreadedLookups(file, fresh, fail),
    ])
    return new Readers(history, lookups, options)
  }

  async close(): Promise<void> {
    await this.days.stop()
    await Promise.all([this.history.close(), this.lookups.close()])
    this.#forgotten?.close()
  }
}
