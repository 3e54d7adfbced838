import type { Sources } from '../sources.js'
import type { History } from './history.js'
import { openInlineHistory, openThreadedHistory } from './history.js'
import type { Lookups } from './lookups.js'
import { openInlineLookups, openThreadedLookups } from './lookups.js'

interface Options {
  readonly file: string
  /** Whether each reader has a thread of its own. */
  readonly threads: boolean
  readonly sources: Sources
  readonly fail: (error: Error) => void
}

/** Those that read the disk beside the trading: pages of what was, and single rows that are waited for. */
export class Readers {
  readonly history: History
  readonly lookups: Lookups

  private constructor(history: History, lookups: Lookups) {
    this.history = history
    this.lookups = lookups
  }

  /** Answers when both are ready. */
  static async open({ file, threads, sources, fail }: Options): Promise<Readers> {
    const watch = () => sources.watch()
    if (!threads) return new Readers(openInlineHistory(file, watch), openInlineLookups(file))
    return new Readers(
      ...(await Promise.all([openThreadedHistory(file, watch, fail), openThreadedLookups(file, fail)])),
    )
  }

  async close(): Promise<void> {
    await Promise.all([this.history.close(), this.lookups.close()])
  }
}
