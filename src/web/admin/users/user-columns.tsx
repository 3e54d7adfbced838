import type { ListedUser } from '../../../client/client.js'
import { gainTone, rupeesText } from '../../kit/number-texts.js'
import { dayTimeText } from '../../kit/time-texts.js'
import { t } from '../../texts/admin-users.js'
import type { Column } from '../../kit/table.jsx'

/** Returns the address of the page of a user. */
export function userAddress(userid: string): string {
  return `/admin/user/${encodeURIComponent(userid)}`
}

/** Returns the columns of the list of users. */
export function userColumns(onPay: (userid: string) => void): readonly Column<ListedUser>[] {
  const money = (id: 'cash' | 'held' | 'available', label: string): Column<ListedUser> => ({
    ...{ id, label, kind: 'number', isSortable: true },
    // What orders hold is the difference of the other two.
    ...(id !== 'cash' && { isRoomy: id === 'held' ? ('tablet' as const) : (true as const) }),
    cell: user => rupeesText(user[id]),
    csv: user => user[id],
  })
  return [
    {
      ...{ id: 'userid', label: t.user, kind: 'name', isSortable: true },
      cell: ({ userid, suspended }) => (
        <>
          <a href={userAddress(userid)}>{userid}</a>
          {suspended && <span class="tag tag-warn user-tag">{t.suspended}</span>}
        </>
      ),
      csv: ({ userid }) => userid,
    },
    money('cash', t.cash),
    money('held', t.held),
    money('available', t.available),
    {
      ...{ id: 'profit', label: t.profit, kind: 'number', isRoomy: true, isSortable: true },
      cell: ({ figures }) => figures && rupeesText(figures.profit, 'signed'),
      tone: ({ figures }) => gainTone(figures?.profit ?? 0),
      csv: ({ figures }) => figures?.profit ?? null,
    },
    {
      ...{ id: 'volume', label: t.volume, kind: 'number', isRoomy: true, isSortable: true },
      cell: ({ figures }) => figures && rupeesText(figures.volume),
      csv: ({ figures }) => figures?.volume ?? null,
    },
    {
      ...{ id: 'last_seen', label: t.lastSeen, kind: 'when', isRoomy: true, isSortable: true },
      cell: ({ figures }) => (figures?.last_seen ? dayTimeText(figures.last_seen) : '–'),
      csv: ({ figures }) => figures?.last_seen ?? null,
    },
    {
      ...{ id: 'act', label: t.depositOrWithdraw, isLabelUnseen: true, kind: 'number' },
      cell: ({ userid }) => (
        <button
          type="button"
          class="button button-small"
          aria-label={t.transferFor(userid)}
          onClick={() => onPay(userid)}
        >
          {t.transfer}
        </button>
      ),
    },
  ]
}
