import { useSignal } from '@preact/signals'
import type { Caller } from '../../api/auth/auth-shape.js'
import { CopyLine } from '../forms/copy-line.jsx'
import type { Column } from '../kit/table.jsx'
import { Table } from '../kit/table.jsx'
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
      {keys.length > 0 && <Table columns={keyColumns(again)} rows={keys} keyOf={({ id }) => id} />}
    </section>
  )
}

/** Returns the columns of the keys. */
function keyColumns(onRevoked: () => void): readonly Column<ApiKey>[] {
  return [
    {
      ...{ id: 'name', label: t.name, kind: 'name' },
      cell: ({ name, addresses }) => (
        <>
          {name}
          {addresses !== null && <small>{t.keyOnlyFrom(addresses.join(', '))}</small>}
        </>
      ),
    },
    {
      ...{ id: 'rights', label: t.rights, isRoomy: true },
      cell: ({ scopes }) => scopes.map(scope => t.scopeNames[scope]).join(', '),
    },
    {
      ...{ id: 'used', label: t.lastUsed },
      cell: ({ last_used_at, last_address }) => (
        <>
          {last_used_at === null ? t.never : dayTimeText(last_used_at)}
          {last_address !== null && <small>{last_address}</small>}
        </>
      ),
    },
    {
      ...{ id: 'expires', label: t.expires, isRoomy: true },
      cell: ({ expires_at }) => (expires_at === null ? t.never : dayTimeText(expires_at)),
    },
    {
      ...{ id: 'revoke', label: t.revoke, isLabelUnseen: true, kind: 'number' },
      cell: ({ id, name }) => (
        <RevokeButton path={`/keys/${id}`} word={t.revoke} action={t.revokeKey(name)} onDone={onRevoked}>
          <p>{t.keyRevokeEffect}</p>
        </RevokeButton>
      ),
    },
  ]
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
