import type { Signal } from '@preact/signals'
import { useSignal } from '@preact/signals'
import type { Caller } from '../../api/auth/auth-shape.js'
import { callAuth } from '../auth/auth-client.js'
import { useAction } from '../forms/action.js'
import { faultOf } from '../forms/field-faults.js'
import { FormField } from '../forms/form-field.jsx'
import { FormFoot } from '../forms/form-foot.jsx'
import { nowMs } from '../kit/browser-clock.js'
import { t } from '../texts/account.js'
import { checkSession } from './loaded.js'

export interface ApiKey {
  readonly id: number
  readonly name: string
  readonly scopes: Caller['scopes']
  readonly addresses: readonly string[] | null
  readonly expires_at: string | null
  readonly last_used_at: string | null
  readonly last_address: string | null
}

export interface MadeKey extends ApiKey {
  /** The key itself, sent only now. */
  readonly key: string
}

type Scope = Caller['scopes'][number]

const DAY_MS = 86_400_000
const LIVES = ['30', '90', '365', ''] as const
const FIELDS = ['name', 'scopes', 'addresses']

interface KeyFormProps {
  /** The rights that a key of this account can have. */
  readonly scopes: Caller['scopes']
  /** Called with the new key; undefined if the form was left. */
  readonly onEnd: (made: MadeKey | undefined) => void
}

/** Makes an API key. */
export function KeyForm({ scopes, onEnd }: KeyFormProps) {
  const name = useSignal('')
  const chosen = useSignal<ReadonlySet<Scope>>(new Set(scopes.filter(isUsual)))
  const addresses = useSignal('')
  const days = useSignal('90')
  const { fault, isBusy, refuse, run } = useAction(FIELDS, error => faultOf(error, FIELDS), checkSession)
  const submit = (event: Event) => {
    event.preventDefault()
    if (name.value.trim() === '') return refuse({ field: 'name', words: t.nameMissing })
    if (chosen.value.size === 0) return refuse({ field: undefined, words: t.rightMissing })
    const networks = addresses.value.split(/[\s,]+/).filter(text => text !== '')
    const body = {
      name: name.value.trim(),
      scopes: [...chosen.value],
      ...(networks.length > 0 && { addresses: networks }),
      ...(days.value !== '' && { expires_at: new Date(nowMs() + Number(days.value) * DAY_MS).toISOString() }),
    }
    return run(async () => onEnd(await callAuth<MadeKey>('POST', '/keys', { body })))
  }
  return (
    <form class="form" onSubmit={submit} noValidate>
      <FormField name="name" label={t.name} hint={t.keyNameHint} text={name} fault={fault} />
      <Scopes scopes={scopes} chosen={chosen} />
      <FormField name="addresses" label={t.onlyFrom} hint={t.onlyFromHint} text={addresses} fault={fault} />
      <div class="form-field">
        <label for="field-days">{t.expiresAfter}</label>
        <select
          id="field-days"
          class="field"
          value={days.value}
          onChange={event => {
            days.value = event.currentTarget.value
          }}
        >
          {LIVES.map(value => (
            <option key={value} value={value}>
              {t.lives[value]}
            </option>
          ))}
        </select>
      </div>
      <FormFoot fault={fault?.field === 'scopes' ? { ...fault, field: undefined } : fault}>
        <button type="submit" class="button button-main" disabled={isBusy}>
          {t.createKey}
        </button>
        <button type="button" class="button" onClick={() => onEnd(undefined)}>
          {t.cancel}
        </button>
      </FormFoot>
    </form>
  )
}

interface ScopesProps {
  readonly scopes: Caller['scopes']
  readonly chosen: Signal<ReadonlySet<Scope>>
}

function Scopes({ scopes, chosen }: ScopesProps) {
  const turn = (scope: Scope) => {
    const next = new Set(chosen.value)
    if (!next.delete(scope)) next.add(scope)
    chosen.value = next
  }
  return (
    <fieldset class="ticks">
      <legend>{t.rights}</legend>
      {scopes.map(scope => (
        <label key={scope} class="tick">
          <input type="checkbox" checked={chosen.value.has(scope)} onChange={() => turn(scope)} />
          <span>{t.scopes[scope]}</span>
        </label>
      ))}
    </fieldset>
  )
}

/** Returns true for the rights of a trading bot; more must be chosen. */
function isUsual(scope: Scope): boolean {
  return scope === 'read' || scope === 'trade'
}
