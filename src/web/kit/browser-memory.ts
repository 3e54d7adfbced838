/** Reads a stored text; undefined where the browser forbids storage. */
export function remembered(key: string): string | undefined {
  try {
    return sessionStorage.getItem(`raay.${key}`) ?? localStorage.getItem(`raay.${key}`) ?? undefined
  } catch {
    return undefined
  }
}

/** Stores a text for this tab and for tabs opened later; without a text, removes it. */
export function remember(key: string, text: string | undefined): void {
  try {
    for (const store of [sessionStorage, localStorage]) {
      if (text === undefined) store.removeItem(`raay.${key}`)
      else store.setItem(`raay.${key}`, text)
    }
  } catch {
    return
  }
}

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
