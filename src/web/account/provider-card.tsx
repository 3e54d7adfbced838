import { ProviderButton } from '../auth/provider-button.jsx'
import type { Column } from '../kit/table.jsx'
import { Table } from '../kit/table.jsx'
import { dayTimeText } from '../kit/time-texts.js'
import { t } from '../texts/account.js'
import type { Loaded } from './loaded.js'
import { RevokeButton } from './revoke-button.jsx'

interface Identity {
  readonly id: number
  readonly issuer: string
  readonly created_at: string
  readonly valid_until: string
}

/** How one can sign in. */
export interface SignInWays {
  readonly identities: readonly Identity[]
  readonly has_password: boolean
  readonly has_other_way: boolean
}

interface ProviderCardProps {
  /** The name of the provider at which people sign in now. */
  readonly provider: string | null
  readonly ways: Pick<Loaded<SignInWays>, 'value' | 'fault'>
}

/** The identities at OpenID providers that are linked to the account; nothing where there are none. */
export function ProviderCard({ provider, ways: { value, fault } }: ProviderCardProps) {
  const identities = value?.identities ?? []
  if (provider === null && identities.length === 0) return null
  const columns: readonly Column<Identity>[] = [
    { ...{ id: 'issuer', label: t.provider, kind: 'name' }, cell: ({ issuer }) => new URL(issuer).host },
    {
      ...{ id: 'linked', label: t.linkedOn, isRoomy: true },
      cell: ({ created_at }) => dayTimeText(created_at),
    },
    { ...{ id: 'until', label: t.signInLasts }, cell: ({ valid_until }) => dayTimeText(valid_until) },
    {
      ...{ id: 'actions', label: t.actions, isLabelUnseen: true, kind: 'number' },
      cell: ({ id, issuer }) =>
        value?.has_other_way && (
          <RevokeButton
            path={`/identities/${id}`}
            word={t.unlink}
            action={t.unlinkFrom(new URL(issuer).host)}
            onDone={() => location.reload()}
          >
            <p>{t.unlinkEffect}</p>
          </RevokeButton>
        ),
    },
  ]
  return (
    <section class="card" aria-labelledby="provider-title">
      <h2 id="provider-title">{t.otherAccounts}</h2>
      <div class="card-body">
        {fault !== '' && <p class="fault">{fault}</p>}
        {value !== undefined && identities.length === 0 && provider !== null && (
          <>
            <p class="faint">{t.linkHint(provider)}</p>
            <ProviderButton words={t.linkTo(provider)} returnTo="/account" isLink />
          </>
        )}
        {identities.length > 0 && <p class="faint">{value?.has_other_way ? t.linkedHint : t.onlyWay}</p>}
      </div>
      {identities.length > 0 && <Table columns={columns} rows={identities} keyOf={({ id }) => id} />}
    </section>
  )
}
