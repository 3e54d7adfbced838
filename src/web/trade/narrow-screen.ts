import type { ReadonlySignal } from '@preact/signals'
import { signal } from '@preact/signals'

/** As in market.css: below 820 px of the usual letters the page is one column. */
const query = matchMedia('(max-width: 51.25em)')
const state = signal(query.matches)

query.addEventListener('change', ({ matches }) => {
  state.value = matches
})

/** True on a phone, or in a window as narrow: there the ticket is a sheet. */
export const isNarrow: ReadonlySignal<boolean> = state
