import type { Signal } from '@preact/signals'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Season } from '../../../client/client.js'
import type { FieldFault } from '../../forms/field-faults.js'
import { FormField } from '../../forms/form-field.jsx'
import { FormFoot } from '../../forms/form-foot.jsx'
import { nowMs } from '../../kit/browser-clock.js'
import { zoneText } from '../../kit/time-texts.js'
import { t as frame } from '../../texts/admin-frame.js'
import { t } from '../../texts/admin-seasons.js'
import { clients } from '../admin-clients.js'
import { useOperatorAction } from '../operator-action.js'
import type { SeasonTexts } from './season-texts.js'
import { changesIn, SEASON_FIELDS, seasonIn, textsOf } from './season-texts.js'

interface SeasonFormProps {
  /** The season to edit; without it, the form is for a new one. */
  readonly season?: Season | undefined
  /** Called after a change has been saved. */
  readonly onSaved: () => void
  readonly onLeave: () => void
}

/** The form of a season that has not started. */
export function SeasonForm({ season, onSaved, onLeave }: SeasonFormProps) {
  // Compares with the season at the start of the edit: another operator may change it meanwhile.
  const before = useSignal(textsOf(season)).value
  const texts = {
    name: useSignal(before.name),
    starts_at: useSignal(before.starts_at),
    ends_at: useSignal(before.ends_at),
    stake: useSignal(before.stake),
  }
  const { fault, isBusy, refuse, run } = useOperatorAction(SEASON_FIELDS)
  useEffect(() => {
    if (season !== undefined) document.getElementById('field-name')?.focus()
  }, [])
  const save = (event: Event) => {
    event.preventDefault()
    const { name, starts_at, ends_at, stake } = texts
    const typed = { name: name.value, starts_at: starts_at.value, ends_at: ends_at.value, stake: stake.value }
    const entered = seasonIn(typed)
    if ('words' in entered) return refuse(entered)
    return run(async () => {
      if (season === undefined) {
        await clients.doing.seasons.create(entered)
        for (const field of SEASON_FIELDS) texts[field].value = ''
      } else {
        const changes = changesIn(before, typed, entered)
        if (Object.keys(changes).length > 0) await clients.doing.seasons.edit(season.season, changes)
      }
      onSaved()
    })
  }
  return (
    <section class="card" aria-labelledby="season-title">
      <h2 id="season-title">{season === undefined ? t.newSeason : t.editTitle(season.name)}</h2>
      <form class="card-body form" onSubmit={save} noValidate>
        <SeasonFields texts={texts} fault={fault} />
        <FormFoot fault={fault}>
          {season !== undefined && (
            <button type="button" class="button" onClick={onLeave}>
              {frame.cancel}
            </button>
          )}
          <button type="submit" class="button button-main" disabled={isBusy}>
            {season === undefined ? t.create : frame.save}
          </button>
        </FormFoot>
      </form>
    </section>
  )
}

interface SeasonFieldsProps {
  readonly texts: Readonly<Record<keyof SeasonTexts, Signal<string>>>
  readonly fault: FieldFault | undefined
}

function SeasonFields({ texts, fault }: SeasonFieldsProps) {
  const zone = zoneText(nowMs())
  return (
    <div class="form-line">
      <FormField name="name" label={t.name} text={texts.name} fault={fault} />
      <FormField
        {...{ name: 'starts_at', label: t.starts, hint: zone, kind: 'time' }}
        text={texts.starts_at}
        fault={fault}
      />
      <FormField
        {...{ name: 'ends_at', label: t.ends, hint: zone, kind: 'time' }}
        text={texts.ends_at}
        fault={fault}
      />
      <FormField
        {...{ name: 'stake', label: t.stakeRupees, hint: t.stakeHint, kind: 'number' }}
        text={texts.stake}
        fault={fault}
      />
    </div>
  )
}
