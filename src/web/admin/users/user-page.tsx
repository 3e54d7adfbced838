import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { FiguresLine } from '../../kit/figures-line.jsx'
import { rupeesText } from '../../kit/number-texts.js'
import { siteName } from '../../kit/page-site.js'
import { dayTimeText } from '../../kit/time-texts.js'
import { t as frame } from '../../texts/admin-frame.js'
import { t } from '../../texts/admin-users.js'
import { usePolled } from '../polling.js'
import { LimitsDialog } from './limits-dialog.jsx'
import { MoneyDialog } from './money-dialog.jsx'
import { PendingNotice } from './pending-notice.jsx'
import { SuspendDialog } from './suspend-dialog.jsx'
import { UserOrders } from './user-orders.jsx'
import { UserPositions } from './user-positions.jsx'
import { UserHistory } from './user-history.jsx'
import type { Balance, Order, UserLimits, ValuedPosition } from '../../../client/client.js'
import { RaayError } from '../../../client/client.js'
import { clients } from '../admin-clients.js'

const POLL_PAUSE_MS = 3000

/** One user: money, limits, contracts, orders and history, and what an operator can do. */
export function UserPage({ userid }: { readonly userid: string }) {
  const { value: user, error, again } = usePolled(() => loadUser(userid), POLL_PAUSE_MS, userid)
  useEffect(() => {
    document.title = frame.title(userid, siteName)
  }, [userid])
  return (
    <div class="stack">
      <p class="crumb">
        <a href="/admin/users">{t.allUsers}</a>
      </p>
      {user !== undefined && <Known user={user} onChange={again} />}
      {user === undefined && (
        <p class="empty" role="status">
          {error?.code === 404 ? t.notFoundHere(userid) : frame.loading}
        </p>
      )}
    </div>
  )
}

interface KnownProps {
  readonly user: ShownUser
  readonly onChange: () => void
}

function Known({ user, onChange }: KnownProps) {
  const { userid } = user
  const open = useSignal<'money' | 'suspend' | 'limits' | undefined>(undefined)
  const done = useSignal('')
  const end = (words = '') => {
    open.value = undefined
    if (words !== '') done.value = words
    onChange()
  }
  const show = (dialog: 'money' | 'suspend' | 'limits') => () => {
    done.value = ''
    open.value = dialog
  }
  const { suspended, reason, changed_at } = user.limits
  return (
    <>
      <div class="page-head">
        <h1 class="name">
          {userid} {suspended && <span class="tag tag-warn">{t.suspended}</span>}
        </h1>
        <div class="acts">
          <button type="button" class="button button-main" onClick={show('money')}>
            {t.transfer}
          </button>
          <button type="button" class="button" onClick={show('limits')}>
            {t.limits}
          </button>
          <a class="button" href={`/admin/comments?userid=${encodeURIComponent(userid)}`}>
            {t.moderation.comments}
          </a>
          <button
            type="button"
            class={suspended ? 'button' : 'button button-danger-quiet'}
            onClick={show('suspend')}
          >
            {suspended ? t.resume : t.suspend}
          </button>
        </div>
      </div>
      <PendingNotice onLook={show('money')} />
      {suspended && changed_at !== null && (
        <p class="notice notice-warn">
          {t.suspendedSince(dayTimeText(changed_at))} {reason}
        </p>
      )}
      <p class="gain done" role="status">
        {done.value}
      </p>
      <Figures user={user} />
      <UserPositions positions={user.positions} />
      <UserOrders userid={userid} orders={user.orders} onChange={onChange} />
      <UserHistory userid={userid} />
      {open.value === 'money' && <MoneyDialog userid={userid} onEnd={end} />}
      {open.value === 'suspend' && <SuspendDialog limits={user.limits} onEnd={end} />}
      {open.value === 'limits' && <LimitsDialog limits={user.limits} onEnd={end} />}
    </>
  )
}

function Figures({ user: { balance, limits } }: { readonly user: ShownUser }) {
  const { order_value_max, open_orders_max } = limits
  const figures: readonly (readonly [label: string, value: string])[] = [
    [t.cash, rupeesText(balance.cash)],
    [t.held, rupeesText(balance.held)],
    [t.available, rupeesText(balance.available)],
    [t.orderValueFigure, order_value_max === null ? t.noLimit : rupeesText(order_value_max)],
    [t.openOrdersFigure, open_orders_max === null ? t.noLimit : String(open_orders_max)],
  ]
  return <FiguresLine class="card figures-five" figures={figures} />
}

/** All that the top of a user’s page shows. */
interface ShownUser {
  readonly userid: string
  readonly balance: Balance
  readonly limits: UserLimits
  readonly positions: readonly ValuedPosition[]
  readonly orders: readonly Order[]
}

const ORDERS_MAX = 200
const NO_MONEY: Balance = { cash: 0, held: 0, available: 0 }

/** Loads a user. An account that has not traded yet has no money and no orders. Rejects with RaayError. */
async function loadUser(userid: string): Promise<ShownUser> {
  const { asking } = clients
  const [limits, balance, positions, orders] = await Promise.all([
    asking.operator.fetchUserLimits(userid),
    asking.fetchBalance({ userid }).catch(unlessUnknown<Balance>(NO_MONEY)),
    asking.fetchPositions({ userid }).catch(unlessUnknown<readonly ValuedPosition[]>([])),
    asking.fetchOpenOrders({ userid, limit: ORDERS_MAX }).catch(unlessUnknown<readonly Order[]>([])),
  ])
  return { userid, balance, limits, positions, orders }
}

function unlessUnknown<Value>(nothing: Value): (error: unknown) => Value {
  return error => {
    if (error instanceof RaayError && error.code === 404) return nothing
    throw error
  }
}
