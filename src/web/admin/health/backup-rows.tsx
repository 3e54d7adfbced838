import type { Backup } from '../../../client/client.js'
import { dayTimeText } from '../../kit/time-texts.js'
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
            <th scope="col">Made</th>
            <th scope="col" class="number">
              Size
            </th>
            <th scope="col">Why</th>
            <th scope="col">Verified</th>
            <th scope="col">
              <span class="unseen">Actions</span>
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
                  aria-label={`Verify the backup of ${dayTimeText(backup.createdAt)}`}
                >
                  Verify
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
  return reason === null ? 'unfinished' : reason.replace('-', ' ')
}

function verifiedText({ name, verification }: Backup, verifying: string | null): string {
  if (name === verifying) return 'now…'
  if (verification === null) return 'not yet'
  return verification.ok ? 'in order' : 'NOT in order'
}
