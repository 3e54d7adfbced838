/** Called with a credential such as `session:12` or `key:7` that no longer gives the rights it gave. */
export type EndedListener = (credential: string) => void

/** Reports credentials that ended, or whose rights changed: caches drop them, their sockets close. */
export class Endings {
  readonly #listeners: EndedListener[] = []

  onEnded(listener: EndedListener): void {
    this.#listeners.push(listener)
  }

  /** Reports the end of credentials, after the change is on disk. */
  report(credentials: readonly string[]): void {
    for (const credential of credentials) for (const listener of this.#listeners) listener(credential)
  }
}
