import { useSignal } from '@preact/signals'
import { callAuth } from '../auth/auth-client.js'
import { canUsePasskeys, createPasskey } from '../auth/passkey.js'
import { signInFault } from '../auth/sign-in-faults.js'
import { useAction } from '../forms/action.js'
import { FormField } from '../forms/form-field.jsx'
import { FormFoot } from '../forms/form-foot.jsx'
import type { Column } from '../kit/table.jsx'
import { Table } from '../kit/table.jsx'
import { dayTimeText } from '../kit/time-texts.js'
import { t } from '../texts/account.js'
import { browserName } from './browser-name.js'
import { checkSession, useLoaded } from './loaded.js'
import { RenamePasskey } from './rename-passkey.jsx'
import { RevokeButton } from './revoke-button.jsx'

interface Passkey {
  readonly id: number
  readonly name: string
  readonly created_at: string
  readonly last_used_at: string | null
}

/** The passkeys of the account. */
export function PasskeysCard({ areUsable }: { readonly areUsable: boolean }) {
  const { value, fault, again } = useLoaded<{ readonly passkeys: readonly Passkey[] }>('/passkeys')
  const passkeys = value?.passkeys ?? []
  return (
    <section class="card" aria-labelledby="passkeys-title">
      <h2 id="passkeys-title">{t.passkeys}</h2>
      <div class="card-body">
        <p class="faint">{t.passkeysHint}</p>
        {fault !== '' && <p class="fault">{fault}</p>}
        {areUsable && canUsePasskeys ? <PasskeyForm onAdded={again} /> : <WhyNot areUsable={areUsable} />}
      </div>
      {passkeys.length > 0 && (
        <Table columns={passkeyColumns(again)} rows={passkeys} keyOf={({ id }) => id} />
      )}
    </section>
  )
}

function passkeyColumns(onDone: () => void): readonly Column<Passkey>[] {
  return [
    { ...{ id: 'name', label: t.name, kind: 'name' }, cell: ({ name }) => name },
    {
      ...{ id: 'added', label: t.added, isRoomy: true },
      cell: ({ created_at }) => dayTimeText(created_at),
    },
    {
      ...{ id: 'used', label: t.lastUsed },
      cell: ({ last_used_at }) => (last_used_at === null ? t.never : dayTimeText(last_used_at)),
    },
    {
      ...{ id: 'actions', label: t.actions, isLabelUnseen: true, kind: 'number' },
      cell: ({ id, name }) => (
        <>
          <RenamePasskey id={id} name={name} onDone={onDone} />{' '}
          <RevokeButton
            path={`/passkeys/${id}`}
            word={t.remove}
            action={t.removePasskey(name)}
            onDone={onDone}
          >
            <p>{t.passkeyRemoveEffect}</p>
          </RevokeButton>
        </>
      ),
    },
  ]
}

function PasskeyForm({ onAdded }: { readonly onAdded: () => void }) {
  const name = useSignal(browserName(navigator.userAgent))
  const { fault, isBusy, refuse, run } = useAction(['device'], error => signInFault(error, []), checkSession)
  const submit = (event: Event) => {
    event.preventDefault()
    if (name.value.trim() === '') return refuse({ field: 'device', words: t.nameMissing })
    return run(async () => {
      const { options } = await callAuth<{ readonly options: PublicKeyCredentialCreationOptionsJSON }>(
        'POST',
        '/passkeys/options',
      )
      const response = await createPasskey(options)
      await callAuth('POST', '/passkeys', { body: { name: name.value.trim(), response } })
      onAdded()
    })
  }
  return (
    <form class="form" onSubmit={submit} noValidate>
      <FormField name="device" label={t.deviceName} text={name} fault={fault} />
      <FormFoot fault={fault}>
        <button type="submit" class="button" disabled={isBusy}>
          {isBusy ? t.waitingForDevice : t.addPasskey}
        </button>
      </FormFoot>
    </form>
  )
}

/** Says why passkeys do not work here, and what to do. */
function WhyNot({ areUsable }: { readonly areUsable: boolean }) {
  if (areUsable) return <p class="notice">{t.browserLacksPasskeys}</p>
  const { hostname, port } = location
  if (/^127\./.test(hostname) || hostname === '[::1]') {
    const address = `http://localhost${port === '' ? '' : `:${port}`}/account`
    return (
      <p class="notice">
        {t.passkeysNotOnIp} <a href={address}>{address}</a>
      </p>
    )
  }
  return (
    <p class="notice">
      {t.passkeysNeedHttps} <code>https://raay.example</code>
    </p>
  )
}
