import { signal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import type { Comment } from '../../../client/shapes.js'
import { nowMs } from '../../kit/browser-clock.js'
import { errorText } from '../../kit/error-text.js'
import { exchange } from '../exchange-client.js'

const PAGE_LENGTH = 20
/** A reader who comes back sees what is new; more often than this, nothing is asked. */
const REST_MS = 10_000

/** The newest comments under a market, as far as they have been fetched. */
export class CommentList {
  readonly rows = signal<readonly Comment[] | undefined>(undefined)
  readonly fault = signal('')
  /** True if there are older ones. */
  readonly hasMore = signal(false)
  readonly #code: string
  #length = PAGE_LENGTH
  #fetchedAt = Number.NEGATIVE_INFINITY

  constructor(code: string) {
    this.#code = code
  }

  /** Fetches the list again. */
  async refresh(): Promise<void> {
    this.#fetchedAt = nowMs()
    try {
      // One more than is shown tells whether there are more.
      const found = await exchange.site.fetchComments(this.#code, { limit: this.#length + 1 })
      this.hasMore.value = found.length > this.#length
      this.rows.value = found.slice(0, this.#length)
      this.fault.value = ''
    } catch (error) {
      this.fault.value = errorText(error)
    }
  }

  /** Fetches the list again if it is not fresh. */
  async refreshIfOld(): Promise<void> {
    if (nowMs() - this.#fetchedAt >= REST_MS) await this.refresh()
  }

  /** Fetches older comments, too. */
  async more(): Promise<void> {
    this.#length += PAGE_LENGTH
    await this.refresh()
  }
}

/** Returns the comments under a market; they are fetched now, and when the reader comes back to the page. */
export function useComments(code: string): CommentList {
  const list = useMemo(() => new CommentList(code), [code])
  useEffect(() => {
    void list.refresh()
    const look = () => {
      if (!document.hidden) void list.refreshIfOld()
    }
    addEventListener('focus', look)
    document.addEventListener('visibilitychange', look)
    return () => {
      removeEventListener('focus', look)
      document.removeEventListener('visibilitychange', look)
    }
  }, [list])
  return list
}
