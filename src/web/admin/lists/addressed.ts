import type { Signal } from '@preact/signals'
import { useSignal, useSignalEffect } from '@preact/signals'
import { useEffect } from 'preact/hooks'

/**
 * Returns a value that is kept in the query of the address, so that Back, a reload and a copied link show the
 * same list. The address changes without a step in the history.
 */
export function useAddressed(name: string, fallback = ''): Signal<string> {
  const value = useSignal(valueIn(name) ?? fallback)
  useSignalEffect(() => {
    const url = new URL(location.href)
    if (value.value === fallback) url.searchParams.delete(name)
    else url.searchParams.set(name, value.value)
    if (url.href !== location.href) history.replaceState(history.state, '', url)
  })
  useEffect(() => {
    const follow = () => {
      value.value = valueIn(name) ?? fallback
    }
    addEventListener('popstate', follow)
    return () => removeEventListener('popstate', follow)
  }, [name, fallback])
  return value
}

function valueIn(name: string): string | undefined {
  return new URLSearchParams(location.search).get(name) ?? undefined
}
