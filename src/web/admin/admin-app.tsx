import { useFocusOnPage } from '../kit/page-focus.js'
import { AccountsPage } from './access/accounts-page.jsx'
import { AuditPage } from './access/audit-page.jsx'
import { AccessGate } from './access-gate.jsx'
import { AdminFrame } from './admin-frame.jsx'
import { adminRoute } from './admin-router.js'
import { BulkPage } from './events/bulk/bulk-page.jsx'
import { CommentsPage } from './comments/comments-page.jsx'
import { EventPage } from './events/event-page.jsx'
import { EventsPage } from './events/list/events-page.jsx'
import { NewEventPage } from './events/new-event-page.jsx'
import { FeesPage } from './fees/fees-page.jsx'
import { SeasonsPage } from './seasons/seasons-page.jsx'
import { AdminGroup } from './groups/admin-group.jsx'
import { GroupsPage } from './groups/groups-page.jsx'
import { NewGroupPage } from './groups/new-group-page.jsx'
import { HealthPage } from './health/health-page.jsx'
import { ActionsPage } from './log/actions-page.jsx'
import { UserPage } from './users/user-page.jsx'
import { UsersPage } from './users/users-page.jsx'
import { WebhooksPage } from './webhooks/webhooks-page.jsx'

/** The operator page for the current address, behind the access check. */
export function AdminApp() {
  return (
    <AdminFrame>
      <AccessGate>
        <Page />
      </AccessGate>
    </AdminFrame>
  )
}

function Page() {
  const at = adminRoute.value
  useFocusOnPage(at)
  switch (at.page) {
    case 'events':
      return <EventsPage />
    case 'bulk':
      return <BulkPage />
    case 'new':
      return <NewEventPage />
    case 'event':
      return <EventPage key={at.code} code={at.code} />
    case 'users':
      return <UsersPage />
    case 'user':
      return <UserPage key={at.userid} userid={at.userid} />
    case 'groups':
      return <GroupsPage />
    case 'newGroup':
      return <NewGroupPage />
    case 'group':
      return <AdminGroup key={at.code} code={at.code} />
    case 'seasons':
      return <SeasonsPage />
    case 'webhooks':
      return <WebhooksPage />
    case 'fees':
      return <FeesPage />
    case 'comments':
      return <CommentsPage />
    case 'health':
      return <HealthPage />
    case 'actions':
      return <ActionsPage />
    case 'accounts':
      return <AccountsPage />
    case 'audit':
      return <AuditPage />
  }
}
