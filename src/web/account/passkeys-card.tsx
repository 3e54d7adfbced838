import { useSignal } from '@preact/signals'
import { callAuth } from '../auth/auth-client.js'
import { canUsePasskeys, createPasskey } from '../auth/passkey.js'
import { signInFault } from '../auth/sign-in-faults.js'
import { useAction } from '../forms/action.js'
import { FormField } from '../forms/form-field.jsx'
import { FormFoot } from '../forms/form-foot.jsx'
import { dayTimeText } from '../kit/time-texts.js'
import { browserName } from './browser-name.js'
import { checkSession, useLoaded } from './loaded.js'
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
      <h2 id="passkeys-title">Passkeys</h2>
      <div class="card-body">
        <p class="faint">Sign in with your fingerprint, face or screen lock instead of the password.</p>
        {fault !== '' && <p class="fault">{fault}</p>}
        {areUsable && canUsePasskeys ? <PasskeyForm onAdded={again} /> : <WhyNot areUsable={areUsable} />}
      </div>
      {passkeys.length > 0 && (
        <div class="table-frame">
          <table class="table">
            <thead>
              <tr>
                <th scope="col">Name</th>
                <th scope="col" class="roomy">
                  Added
                </th>
                <th scope="col">Last used</th>
                <th scope="col">
                  <span class="unseen">Remove</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {passkeys.map(({ id, name, created_at, last_used_at }) => (
                <tr key={id}>
                  <td class="name">{name}</td>
                  <td class="roomy">{dayTimeText(created_at)}</td>
                  <td>{last_used_at === null ? 'never' : dayTimeText(last_used_at)}</td>
                  <td class="number">
                    <RevokeButton
                      path={`/passkeys/${id}`}
                      word="Remove"
                      thing={`the passkey ${name}`}
                      onDone={again}
                    >
                      <p>It no longer signs you in. Remove it on the device, too.</p>
                    </RevokeButton>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  )
}

function PasskeyForm({ onAdded }: { readonly onAdded: () => void }) {
  const name = useSignal(browserName(navigator.userAgent))
  const { fault, isBusy, refuse, run } = useAction(['device'], error => signInFault(error, []), checkSession)
  const submit = (event: Event) => {
    event.preventDefault()
    if (name.value.trim() === '') return refuse({ field: 'device', words: 'Enter a name.' })
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
      <FormField name="device" label="Name of this device" text={name} fault={fault} />
      <FormFoot fault={fault}>
        <button type="submit" class="button" disabled={isBusy}>
          {isBusy ? 'Waiting for the device…' : 'Add a passkey'}
        </button>
      </FormFoot>
    </form>
  )
}

/** Says why passkeys do not work here, and what to do. */
function WhyNot({ areUsable }: { readonly areUsable: boolean }) {
  if (areUsable) return <p class="notice">This browser has no passkeys. Update it, or use another.</p>
  const { hostname, port } = location
  if (/^127\./.test(hostname) || hostname === '[::1]') {
    const address = `http://localhost${port === '' ? '' : `:${port}`}/account`
    return (
      <p class="notice">
        Passkeys do not work on IP addresses. Open <a href={address}>{address}</a> instead, and sign in there.
      </p>
    )
  }
  return (
    <p class="notice">
      Passkeys need HTTPS and a host name, such as <code>https://raay.example</code>; they do not work on IP
      addresses.
    </p>
  )
}
