import { useSignal } from '@preact/signals'
import type { Caller } from '../../api/auth/auth-shape.js'
import { CopyLine } from '../forms/copy-line.jsx'
import { dayTimeText } from '../kit/time-texts.js'
import { t } from '../texts/account.js'
import type { ApiKey, MadeKey } from './key-form.jsx'
import { KeyForm } from './key-form.jsx'
import { useLoaded } from './loaded.js'
import { RevokeButton } from './revoke-button.jsx'

/** The API keys of the account, for programs. */
export function KeysCard({ scopes }: Pick<Caller, 'scopes'>) {
  const { value, fault, again } = useLoaded<{ readonly keys: readonly ApiKey[] }>('/keys')
  const isOpen = useSignal(false)
  const made = useSignal<MadeKey | undefined>(undefined)
  const begin = () => {
    made.value = undefined
    isOpen.value = true
  }
  const end = (key: MadeKey | undefined) => {
    isOpen.value = false
    made.value = key
    again()
  }
  const keys = value?.keys ?? []
  return (
    <section class="card" aria-labelledby="keys-title">
      <div class="card-head">
        <h2 id="keys-title">{t.apiKeys}</h2>
        {!isOpen.value && (
          <button type="button" class="button button-small" onClick={begin}>
            {t.newKey}
          </button>
        )}
      </div>
      <div class="card-body">
        <p class="faint">
          {t.keysHint} <code class="when">Authorization: Bearer …</code>
        </p>
        {fault !== '' && <p class="fault">{fault}</p>}
        {made.value !== undefined && <NewKey made={made.value} />}
        {isOpen.value && <KeyForm scopes={scopes} onEnd={end} />}
      </div>
      {keys.length > 0 && <KeyTable keys={keys} onRevoked={again} />}
    </section>
  )
}

interface KeyTableProps {
  readonly keys: readonly ApiKey[]
  readonly onRevoked: () => void
}

function KeyTable({ keys, onRevoked }: KeyTableProps) {
  return (
    <div class="table-frame">
      <table class="table">
        <thead>
          <tr>
            <th scope="col">{t.name}</th>
            <th scope="col" class="roomy">
              {t.rights}
            </th>
            <th scope="col">{t.lastUsed}</th>
            <th scope="col" class="roomy">
              {t.expires}
            </th>
            <th scope="col">
              <span class="unseen">{t.revoke}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {keys.map(key => (
            <KeyRow key={key.id} apiKey={key} onRevoked={onRevoked} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function NewKey({ made }: { readonly made: MadeKey }) {
  return (
    <div class="shown-once" role="status">
      <p>
        <b>{t.copyKey(made.name)}</b> {t.notShownAgain}
      </p>
      <CopyLine label={t.theKey(made.name)} text={made.key} />
    </div>
  )
}

function KeyRow({ apiKey, onRevoked }: { readonly apiKey: ApiKey; readonly onRevoked: () => void }) {
  const { id, name, scopes, addresses, expires_at, last_used_at, last_address } = apiKey
  return (
    <tr>
      <td class="name">
        {name}
        {addresses !== null && <small>{t.keyOnlyFrom(addresses.join(', '))}</small>}
      </td>
      <td class="roomy">{scopes.map(scope => t.scopeNames[scope]).join(', ')}</td>
      <td>
        {last_used_at === null ? t.never : dayTimeText(last_used_at)}
        {last_address !== null && <small>{last_address}</small>}
      </td>
      <td class="roomy">{expires_at === null ? t.never : dayTimeText(expires_at)}</td>
      <td class="number">
        <RevokeButton path={`/keys/${id}`} word={t.revoke} action={t.revokeKey(name)} onDone={onRevoked}>
          <p>{t.keyRevokeEffect}</p>
        </RevokeButton>
      </td>
    </tr>
  )
}
