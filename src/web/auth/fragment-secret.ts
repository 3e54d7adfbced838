/**
 * Takes a secret such as `#code=…` out of the address, so that it is neither shown nor kept in the history.
 * @param isKept keeps it for a reload of this page
 */
export function takeSecret(name: string, isKept = false): string | undefined {
  const found = new URLSearchParams(location.hash.slice(1)).get(name)
  if (found === null) return keptIn(history.state)[name]
  history.replaceState(isKept ? { [name]: found } : null, '', location.pathname)
  return found
}

function keptIn(state: unknown): Readonly<Record<string, string | undefined>> {
  return typeof state === 'object' && state !== null ? (state as Record<string, string>) : {}
}
