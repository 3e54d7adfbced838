/** What the page keeps in the browser; where that is forbidden it forgets, and works all the same. */
export function remembered(key: string): string | undefined {
  try {
    return sessionStorage.getItem(`raay.${key}`) ?? localStorage.getItem(`raay.${key}`) ?? undefined
  } catch {
    return undefined
  }
}

/** Keeps a text for this tab, and for tabs that are opened later; without a text, forgets it. */
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
