import { Worker } from 'node:worker_threads'
import { KeptText } from '../http/middleware/kept-text.js'

const ENTRY = new URL('./documents-worker.js', import.meta.url)

/** The documents as texts. */
export interface DocumentTexts {
  readonly openApi: string
  readonly asyncApi: string
  /** The pages that show both, by name, with PLACEHOLDER for the address of the exchange. */
  readonly pages: Readonly<Record<string, string>>
}

/** The documents as they are sent. */
export interface KeptDocuments {
  readonly openApi: KeptText
  readonly asyncApi: KeptText
  readonly pages: ReadonlyMap<string, string>
}

/** Stands for the address at which a reader finds the page. */
export const PLACEHOLDER = 'http://exchange.invalid'

/**
 * Returns what makes the documents at the first call and keeps them. They take most of a second, so that a
 * start does not wait for them, and a thread of their own makes them. After a failure the next call tries
 * again.
 */
export function keptDocuments(
  version: string,
  make: (version: string) => Promise<DocumentTexts> = makeInThread,
): () => Promise<KeptDocuments> {
  let made: Promise<KeptDocuments> | undefined
  return () => {
    made ??= make(version).then(kept, (error: unknown) => {
      made = undefined
      throw error
    })
    return made
  }
}

function kept({ openApi, asyncApi, pages }: DocumentTexts): KeptDocuments {
  return {
    openApi: new KeptText(openApi),
    asyncApi: new KeptText(asyncApi),
    pages: new Map(Object.entries(pages)),
  }
}

function makeInThread(version: string): Promise<DocumentTexts> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(ENTRY, { workerData: { version } })
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.once('exit', () => reject(new Error('the thread of the documents ended without them')))
  })
}
