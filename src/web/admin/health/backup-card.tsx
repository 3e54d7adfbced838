import type { Backup, RaayError } from '../../../client/client.js'
import type { FieldFault } from '../../forms/field-faults.js'
import { faultOf } from '../../forms/field-faults.js'
import { secondClock } from '../../kit/browser-clock.js'
import { dayTimeText, timeLeftText } from '../../kit/time-texts.js'
import { clients } from '../admin-clients.js'
import { useOperatorAction } from '../operator-action.js'
import { bytesText } from './health-texts.js'

interface BackupCardProps {
  readonly last: Backup | null
  readonly onDone: () => void
}

/** The last backup, and a button that makes another. */
export function BackupCard({ last, onDone }: BackupCardProps) {
  const { fault, isBusy, run } = useOperatorAction([], backupFault)
  const make = () =>
    run(async () => {
      await clients.patient.operator.makeBackup()
      onDone()
    })
  return (
    <section class="card" aria-labelledby="backup-title">
      <div class="card-head">
        <h2 id="backup-title">Backup</h2>
        <button type="button" class="button button-small" disabled={isBusy} onClick={make}>
          {isBusy ? 'Backing up…' : 'Back up now'}
        </button>
      </div>
      <div class="card-body" role="status">
        {last === null ? (
          <p class="faint">No backups yet. Backing up does not interrupt trading.</p>
        ) : (
          <>
            <p>
              Last backup: {dayTimeText(last.createdAt)} ({agoText(last.createdAt, secondClock.value)}),{' '}
              {bytesText(last.bytes)}.
            </p>
            <p class="faint backup-file">
              <code>{last.file}</code> Copy it to another machine: a backup on the same disk is lost with the
              disk.
            </p>
          </>
        )}
        {fault !== undefined && <p class="fault">{fault.words}</p>}
      </div>
    </section>
  )
}

function agoText(time: string, now: number): string {
  const ms = now - Date.parse(time)
  return ms < 1000 ? 'just now' : `${timeLeftText(ms)} ago`
}

/** Explains a timeout: a large backup finishes even if the page stops waiting. */
function backupFault(error: RaayError): FieldFault {
  if (error.code !== 408) return faultOf(error, [])
  const words = 'This is taking a while. It continues in the background and appears here when it is done.'
  return { field: undefined, words }
}
