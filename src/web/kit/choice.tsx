import type { Signal } from '@preact/signals'
import { t } from '../texts/kit.js'
import { hundredthsIn } from './hundredths.js'
import { Icon } from './icons.jsx'

interface ChoiceProps<Value extends string> {
  readonly name: string
  readonly legend: string
  readonly value: Signal<Value>
  readonly options: readonly (readonly [value: Value, label: string])[]
  /** Called with what a person chooses, before the value is set. */
  readonly onChoose?: (value: Value) => void
}

/** Radio buttons drawn as segments. */
export function Choice<Value extends string>({ name, legend, value, options, onChoose }: ChoiceProps<Value>) {
  return (
    <fieldset class="segments">
      <legend class="unseen">{legend}</legend>
      {options.map(([option, label]) => (
        <label key={option} class="segment">
          <input
            type="radio"
            name={name}
            checked={value.value === option}
            onChange={() => {
              onChoose?.(option)
              value.value = option
            }}
          />
          <span>{label}</span>
        </label>
      ))}
    </fieldset>
  )
}

interface StepperProps {
  readonly id: string
  readonly label: string
  readonly hint: string
  readonly text: Signal<string>
  /** Formats a number of hundredths. */
  readonly write: (hundredths: number) => string
  /** In hundredths, like the bounds. */
  readonly step: number
  readonly min: number
  readonly max: number
  readonly isWrong: boolean
  readonly describedBy: string
}

/** A number field with minus and plus buttons; the arrow keys step too, by ten with shift. */
export function Stepper({
  id,
  label,
  hint,
  text,
  write,
  step,
  min,
  max,
  isWrong,
  describedBy,
}: StepperProps) {
  const move = (steps: number) => {
    const now = hundredthsIn(text.value) ?? 0
    const next = steps > 0 ? Math.floor(now / step + steps) * step : Math.ceil(now / step + steps) * step
    text.value = write(Math.min(max, Math.max(min, next)))
  }
  const press = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return
    event.preventDefault()
    move((event.key === 'ArrowUp' ? 1 : -1) * (event.shiftKey ? 10 : 1))
  }
  return (
    <div class="stepper">
      <label for={id}>
        {label} <span class="faint">{hint}</span>
      </label>
      <div class="stepper-line">
        <StepButton shape="minus" name={t.decrease(label)} onClick={() => move(-1)} />
        <input
          id={id}
          class="field"
          inputMode="decimal"
          autocomplete="off"
          value={text.value}
          onInput={event => {
            text.value = event.currentTarget.value
          }}
          onFocus={event => event.currentTarget.select()}
          onKeyDown={press}
          aria-invalid={isWrong}
          aria-describedby={describedBy}
        />
        <StepButton shape="plus" name={t.increase(label)} onClick={() => move(1)} />
      </div>
    </div>
  )
}

interface StepButtonProps {
  readonly shape: 'minus' | 'plus'
  readonly name: string
  readonly onClick: () => void
}

function StepButton({ shape, name, onClick }: StepButtonProps) {
  return (
    <button type="button" class="button" aria-label={name} onClick={onClick}>
      <Icon shape={shape} />
    </button>
  )
}
