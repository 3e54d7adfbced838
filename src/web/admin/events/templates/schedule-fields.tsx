import type { Signal } from '@preact/signals'
import { useSignal } from '@preact/signals'
import type { FieldFault } from '../../../forms/field-faults.js'
import { FormField } from '../../../forms/form-field.jsx'
import { t } from '../../../texts/admin-templates.js'
import type { ScheduleDraft } from './schedule-draft.js'
import { WEEKDAYS } from './schedule-words.js'

type ScheduleTexts = { readonly [Field in keyof ScheduleDraft]: Signal<ScheduleDraft[Field]> }

/** Creates the texts of the form from a draft. */
export function useScheduleTexts(draft: ScheduleDraft): ScheduleTexts {
  return {
    repeat: useSignal(draft.repeat),
    weekdays: useSignal(draft.weekdays),
    month_day: useSignal(draft.month_day),
    hours_before: useSignal(draft.hours_before),
    end: useSignal(draft.end),
    ends_on: useSignal(draft.ends_on),
    ends_after: useSignal(draft.ends_after),
  }
}

export function writtenIn({ repeat, weekdays, end, ...texts }: ScheduleTexts): ScheduleDraft {
  return {
    ...{ repeat: repeat.value, weekdays: weekdays.value, end: end.value },
    ...{ month_day: texts.month_day.value, hours_before: texts.hours_before.value },
    ...{ ends_on: texts.ends_on.value, ends_after: texts.ends_after.value },
  }
}

interface FieldsProps {
  readonly texts: ScheduleTexts
  readonly fault: FieldFault | undefined
}

/** The fields of a schedule; those that do not matter are hidden. */
export function ScheduleFields({ texts, fault }: FieldsProps) {
  const { repeat, end } = texts
  return (
    <>
      <div class="form-line">
        <Choice {...{ name: 'repeat', label: t.repeat, chosen: repeat, words: t.repeats }} />
        {repeat.value === 'monthly' && (
          <FormField
            {...{ name: 'month_day', label: t.monthDay, hint: t.monthDayHint, kind: 'number' }}
            {...{ text: texts.month_day, fault }}
          />
        )}
        <FormField
          {...{ name: 'hours_before', label: t.hoursBefore, hint: t.hoursHint, kind: 'number' }}
          {...{ text: texts.hours_before, fault }}
        />
      </div>
      {repeat.value === 'weekly' && <Weekdays chosen={texts.weekdays} />}
      <div class="form-line">
        <Choice {...{ name: 'end', label: t.ends, chosen: end, words: t.endings }} />
        {end.value === 'on' && (
          <FormField
            {...{ name: 'ends_on', label: t.lastDay, hint: t.lastDayHint, kind: 'day' }}
            {...{ text: texts.ends_on, fault }}
          />
        )}
        {end.value === 'after' && (
          <FormField
            {...{ name: 'ends_after', label: t.count, hint: t.countHint, kind: 'number' }}
            {...{ text: texts.ends_after, fault }}
          />
        )}
      </div>
    </>
  )
}

interface ChoiceProps<Name extends string> {
  readonly name: string
  readonly label: string
  readonly chosen: Signal<Name>
  readonly words: Readonly<Record<Name, string>>
}

function Choice<Name extends string>({ name, label, chosen, words }: ChoiceProps<Name>) {
  const names = Object.keys(words) as Name[]
  return (
    <div class="form-field">
      <label for={`field-${name}`}>{label}</label>
      <select
        id={`field-${name}`}
        class="field"
        value={chosen.value}
        onChange={event => {
          const { value } = event.currentTarget
          chosen.value = names.find(known => known === value) ?? chosen.peek()
        }}
      >
        {names.map(known => (
          <option key={known} value={known}>
            {words[known]}
          </option>
        ))}
      </select>
    </div>
  )
}

function Weekdays({ chosen }: { readonly chosen: Signal<readonly number[]> }) {
  const toggle = (day: number) => {
    const days = chosen.peek()
    chosen.value = days.includes(day) ? days.filter(other => other !== day) : [...days, day]
  }
  return (
    <fieldset class="chips weekdays">
      <legend>{t.weekdays}</legend>
      {WEEKDAYS.map(([day, name]) => (
        <button
          key={day}
          type="button"
          class="chip"
          aria-pressed={chosen.value.includes(day)}
          onClick={() => toggle(day)}
        >
          {name}
        </button>
      ))}
    </fieldset>
  )
}
