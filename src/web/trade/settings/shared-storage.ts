/** The storage that all tabs of a browser share; empty where the browser forbids it. */
export const sharedStorage = {
  read(key: string): string | undefined {
    try {
      return localStorage.getItem(key) ?? undefined
    } catch {
      return undefined
    }
  },

  /** Stores a text; without one, removes it. */
  write(key: string, text: string | undefined): void {
    try {
      if (text === undefined) localStorage.removeItem(key)
      else localStorage.setItem(key, text)
    } catch {
      return
    }
  },
}
