import type { Account } from '../../../api/auth/auth-shape.js'
import { dayTimeText } from '../../kit/time-texts.js'
import { t } from '../../texts/admin-access.js'
import type { Column } from '../../kit/table.jsx'
import { userAddress } from '../users/user-columns.jsx'

/** Returns the columns of the list of accounts; without `onManage`, accounts cannot be changed. */
export function accountColumns(
  onManage: ((account: Account) => void) | undefined,
): readonly Column<Account>[] {
  const count = (id: 'sessions' | 'keys' | 'passkeys', label: string): Column<Account> => ({
    ...{ id, label, kind: 'number', isRoomy: true, isSortable: true },
    cell: account => account[id],
    csv: account => account[id],
  })
  return [
    {
      ...{ id: 'name', label: t.username, kind: 'name', isSortable: true },
      cell: ({ name, disabled }) => (
        <>
          <a href={userAddress(name)}>{name}</a>{' '}
          {disabled && <span class="tag tag-warn">{t.disabledTag}</span>}
        </>
      ),
      csv: ({ name }) => name,
    },
    {
      ...{ id: 'role', label: t.role, isSortable: true },
      cell: ({ role }) => t.roleNames[role],
      csv: ({ role }) => role,
    },
    {
      ...{ id: 'seen', label: t.lastSignIn, isRoomy: true, isSortable: true },
      cell: ({ last_sign_in_at }) => (last_sign_in_at === null ? t.never : dayTimeText(last_sign_in_at)),
      csv: ({ last_sign_in_at }) => last_sign_in_at,
    },
    count('sessions', t.sessions),
    count('keys', t.keys),
    count('passkeys', t.passkeys),
    {
      ...{ id: 'act', label: t.manage, isLabelUnseen: true, kind: 'number' },
      cell: account =>
        onManage !== undefined && (
          <button
            type="button"
            class="button button-small"
            aria-label={t.manageUser(account.name)}
            onClick={() => onManage(account)}
          >
            {t.manage}
          </button>
        ),
    },
  ]
}
