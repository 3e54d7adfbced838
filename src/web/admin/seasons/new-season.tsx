import { useSignal } from '@preact/signals'
import { FormField } from '../../forms/form-field.jsx'
import { FormFoot } from '../../forms/form-foot.jsx'
import { nowMs } from '../../kit/browser-clock.js'
import { zoneText } from '../../kit/time-texts.js'
import { t } from '../../texts/admin-seasons.js'
import { clients } from '../admin-clients.js'
import { momentIn } from '../events/moment-input.js'
import { numberIn } from '../number-input.js'
import { useOperatorAction } from '../operator-action.js'

const FIELDS = ['name', 'starts_at', 'ends_at', 'stake']

/** The form of a new season. */
export function NewSeason({ onMade }: { readonly onMade: () => void }) {
  const [name, starts, ends, stake] = [useSignal(''), useSignal(''), useSignal(''), useSignal('')]
  const { fault, isBusy, refuse, run } = useOperatorAction(FIELDS)
  const create = (event: Event) => {
    event.preventDefault()
    const [starts_at, ends_at, money] = [momentIn(starts.value), momentIn(ends.value), numberIn(stake.value)]
    if (name.value.trim() === '') return refuse({ field: 'name', words: t.fields.missing })
    if (starts_at === undefined) return refuse({ field: 'starts_at', words: t.fields.time })
    if (ends_at === undefined) return refuse({ field: 'ends_at', words: t.fields.time })
    if (money === undefined) return refuse({ field: 'stake', words: t.fields.number })
    return run(async () => {
      await clients.doing.seasons.create({ name: name.value.trim(), starts_at, ends_at, stake: money })
      for (const text of [name, starts, ends, stake]) text.value = ''
      onMade()
    })
  }
  const zone = zoneText(nowMs())
  return (
    <section class="card" aria-labelledby="new-season-title">
      <h2 id="new-season-title">{t.newSeason}</h2>
      <form class="card-body form" onSubmit={create} noValidate>
        <div class="form-line">
          <FormField name="name" label={t.name} text={name} fault={fault} />
          <FormField
            {...{ name: 'starts_at', label: t.starts, hint: zone, kind: 'time' }}
            text={starts}
            fault={fault}
          />
          <FormField
            {...{ name: 'ends_at', label: t.ends, hint: zone, kind: 'time' }}
            text={ends}
            fault={fault}
          />
          <FormField
            {...{ name: 'stake', label: t.stake, hint: t.stakeHint, kind: 'number' }}
            text={stake}
            fault={fault}
          />
        </div>
        <FormFoot fault={fault}>
          <button type="submit" class="button button-main" disabled={isBusy}>
            {t.create}
          </button>
        </FormFoot>
      </form>
    </section>
  )
}
