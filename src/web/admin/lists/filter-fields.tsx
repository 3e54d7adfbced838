import type { Signal } from '@preact/signals'

interface FilterSelectProps {
  readonly label: string
  readonly value: Signal<string>
  readonly options: readonly (readonly [value: string, label: string])[]
}

/** A choice among filters. */
export function FilterSelect({ label, value, options }: FilterSelectProps) {
  return (
    <select
      class="field"
      aria-label={label}
      value={value.value}
      onChange={event => {
        value.value = event.currentTarget.value
      }}
    >
      {options.map(([option, words]) => (
        <option key={option} value={option}>
          {words}
        </option>
      ))}
    </select>
  )
}

interface FilterDateProps {
  readonly label: string
  /** A day such as `2026-11-22`; empty for none. */
  readonly value: Signal<string>
}

/** A day among filters. */
export function FilterDate({ label, value }: FilterDateProps) {
  return (
    <label class="filter-date">
      <span>{label}</span>
      <input
        class="field"
        type="date"
        value={value.value}
        onInput={event => {
          value.value = event.currentTarget.value
        }}
      />
    </label>
  )
}
