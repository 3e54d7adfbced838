import type { Backup } from '../../../client/client.js'
import type { Column } from '../../kit/table.jsx'
import { Table } from '../../kit/table.jsx'
import { dayTimeText } from '../../kit/time-texts.js'
import { t } from '../../texts/admin-health.js'
import { clients } from '../admin-clients.js'
import { useOperatorAction } from '../operator-action.js'
import { sizeText } from '../../../api/size-text.js'

interface BackupRowsProps {
  readonly backups: readonly Backup[]
  /** The name of the backup that is being verified. */
  readonly verifying: string | null
  readonly onDone: () => void
}

/** The most rows; the command line lists all. */
const ROWS_MAX = 10

/** The newest backups, one row each, with a button that verifies it. */
export function BackupRows({ backups, verifying, onDone }: BackupRowsProps) {
  const { fault, isBusy, run } = useOperatorAction()
  if (backups.length === 0) return null
  const verify = (name: string) => () =>
    run(async () => {
      await clients.doing.operator.verifyBackup(name)
      onDone()
    })
  const columns: readonly Column<Backup>[] = [
    {
      ...{ id: 'made', label: t.made },
      cell: ({ name, createdAt }) => <span title={name}>{dayTimeText(createdAt)}</span>,
    },
    { ...{ id: 'size', label: t.size, kind: 'number' }, cell: ({ bytes }) => sizeText(bytes) },
    { ...{ id: 'why', label: t.why }, cell: reasonText },
    {
      ...{ id: 'verified', label: t.verified },
      cell: backup => <span title={backup.verification?.findings[0]}>{verifiedText(backup, verifying)}</span>,
    },
    {
      ...{ id: 'verify', label: t.actions, isLabelUnseen: true },
      cell: ({ name, createdAt }) => (
        <button
          type="button"
          class="button button-small"
          disabled={isBusy || verifying === name}
          onClick={verify(name)}
          aria-label={t.verifyBackup(dayTimeText(createdAt))}
        >
          {t.verify}
        </button>
      ),
    },
  ]
  return (
    <>
      <Table columns={columns} rows={backups.slice(0, ROWS_MAX)} keyOf={({ name }) => name} />
      {fault !== undefined && <p class="fault">{fault.words}</p>}
    </>
  )
}

function reasonText({ reason }: Backup): string {
  return reason === null ? t.unfinished : (t.reasons[reason] ?? reason)
}

function verifiedText({ name, verification }: Backup, verifying: string | null): string {
  if (name === verifying) return t.verifyingNow
  if (verification === null) return t.notYet
  return verification.ok ? t.inOrder : t.notInOrder
}
