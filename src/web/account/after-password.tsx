import { useSignal } from '@preact/signals'
import type { PasswordReplaced, RemainingKey } from '../../api/auth/auth-shape.js'
import type { Column } from '../kit/table.jsx'
import { Table } from '../kit/table.jsx'
import { dayTimeText } from '../kit/time-texts.js'
import { t } from '../texts/account.js'
import { RevokeButton } from './revoke-button.jsx'

interface AfterPasswordProps {
  /** The name of the account. */
  readonly name: string
  readonly replaced: PasswordReplaced
  readonly onRevoked?: () => void
}

/** Shows what ended with a password, and what still opens the account or was made with it. */
export function AfterPassword({ name, replaced, onRevoked }: AfterPasswordProps) {
  const { keys_ended: keysEnded, invitations_ended: invitations, passkeys } = replaced
  const keys = useSignal(replaced.keys)
  const revoked = (id: number) => {
    keys.value = keys.peek().filter(key => key.id !== id)
    onRevoked?.()
  }
  const sentences = [
    keysEnded > 0 && t.keysRevoked(keysEnded),
    invitations > 0 && t.invitationsWithdrawn(invitations),
    passkeys > 0 && t.passkeysLeft(passkeys),
    keys.value.length > 0 && t.keysLeft(keys.value.length),
  ].filter(Boolean)
  return (
    <>
      {sentences.length > 0 && <p>{sentences.join(' ')}</p>}
      {keys.value.length > 0 && (
        <Table columns={columns(name, revoked)} rows={keys.value} keyOf={({ id }) => id} />
      )}
    </>
  )
}

function columns(owner: string, onRevoked: (id: number) => void): readonly Column<RemainingKey>[] {
  return [
    {
      ...{ id: 'name', label: t.name, kind: 'name' },
      cell: ({ name, user }) => (
        <>
          {name}
          {user !== owner && <small>{t.keyFor(user)}</small>}
        </>
      ),
    },
    {
      ...{ id: 'used', label: t.lastUsed },
      cell: ({ last_used_at }) => (last_used_at === null ? t.never : dayTimeText(last_used_at)),
    },
    {
      ...{ id: 'revoke', label: t.revoke, isLabelUnseen: true, kind: 'number' },
      cell: ({ id, name, user }) => (
        <RevokeButton
          path={user === owner ? `/keys/${id}` : `/keys/${id}?user=${encodeURIComponent(user)}`}
          word={t.revoke}
          action={t.revokeKey(name)}
          onDone={() => onRevoked(id)}
        >
          <p>{t.keyRevokeEffect}</p>
        </RevokeButton>
      ),
    },
  ]
}
