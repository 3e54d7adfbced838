import type { Signal } from '@preact/signals'

interface SearchFieldProps {
  readonly label: string
  readonly hint: string
  readonly query: Signal<string>
}

export function SearchField({ label, hint, query }: SearchFieldProps) {
  return (
    <input
      class="field"
      type="search"
      placeholder={hint}
      aria-label={label}
      value={query.value}
      onInput={event => {
        query.value = event.currentTarget.value
      }}
    />
  )
}
