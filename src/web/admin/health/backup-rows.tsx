import type { Backup } from '../../../client/client.js'
import { dayTimeText } from '../../kit/time-texts.js'
import { t } from '../../texts/admin-health.js'
import { clients } from '../admin-clients.js'
import { useOperatorAction } from '../operator-action.js'
import { bytesText } from './health-texts.js'

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
  return (
    <div class="table-frame">
      <table class="table">
        <thead>
          <tr>
            <th scope="col">{t.made}</th>
            <th scope="col" class="number">
              {t.size}
            </th>
            <th scope="col">{t.why}</th>
            <th scope="col">{t.verified}</th>
            <th scope="col">
              <span class="unseen">{t.actions}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {backups.slice(0, ROWS_MAX).map(backup => (
            <tr key={backup.name}>
              <td title={backup.name}>{dayTimeText(backup.createdAt)}</td>
              <td class="number">{bytesText(backup.bytes)}</td>
              <td>{reasonText(backup)}</td>
              <td title={backup.verification?.findings[0]}>{verifiedText(backup, verifying)}</td>
              <td>
                <button
                  type="button"
                  class="button button-small"
                  disabled={isBusy || verifying === backup.name}
                  onClick={verify(backup.name)}
                  aria-label={t.verifyBackup(dayTimeText(backup.createdAt))}
                >
                  {t.verify}
                </button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {fault !== undefined && <p class="fault">{fault.words}</p>}
    </div>
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
