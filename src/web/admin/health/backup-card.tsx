import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Backup, Health, RaayError } from '../../../client/client.js'
import type { FieldFault } from '../../forms/field-faults.js'
import { faultOf } from '../../forms/field-faults.js'
import { secondClock } from '../../kit/browser-clock.js'
import { dayTimeText, timeLeftText } from '../../kit/time-texts.js'
import { clients } from '../admin-clients.js'
import { useOperatorAction } from '../operator-action.js'
import { BackupRows } from './backup-rows.jsx'
import { bytesText } from './health-texts.js'

interface BackupCardProps {
  readonly health: Pick<Health, 'last_backup' | 'backups'>
  readonly onDone: () => void
}

/** The newest backups, how their verification went, and a button that makes another. */
export function BackupCard({ health, onDone }: BackupCardProps) {
  const { last_backup: last, backups } = health
  const { fault, isBusy, run } = useOperatorAction([], backupFault)
  const listed = useSignal<readonly Backup[]>([])
  // The list is fetched anew when something about the newest backups has changed.
  const change = JSON.stringify([
    last?.name,
    last?.verification,
    backups.verifying,
    backups.last_verified?.name,
  ])
  useEffect(() => {
    clients.asking.operator.fetchBackups().then(
      found => {
        listed.value = found
      },
      () => undefined,
    )
  }, [change])
  const make = () =>
    run(async () => {
      await clients.patient.operator.makeBackup()
      onDone()
    })
  return (
    <section class="card" aria-labelledby="backup-title">
      <div class="card-head">
        <h2 id="backup-title">Backups</h2>
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
              {bytesText(last.bytes)}. {verifiedText(backups.last_verified, last)}
            </p>
            <p class="faint backup-file">
              <code>{last.file}</code> A backup on the same disk is lost with the disk: copy it to another
              machine.
            </p>
          </>
        )}
        {backups.next !== null && <p class="faint">Next scheduled: {dayTimeText(backups.next)}.</p>}
        {isFailing(health) && <p class="fault">{backups.last_failure?.message}</p>}
        {fault !== undefined && <p class="fault">{fault.words}</p>}
      </div>
      <BackupRows backups={listed.value} verifying={backups.verifying} onDone={onDone} />
    </section>
  )
}

/** Returns whether the last failure is newer than the newest backup in order. */
function isFailing({
  backups: { last_failure: failure, last_verified: verified },
}: BackupCardProps['health']) {
  return failure !== null && (verified === null || failure.createdAt > verified.createdAt)
}

function verifiedText(verified: Backup | null, last: Backup): string {
  if (verified === null) return 'No backup has been verified yet.'
  if (verified.name === last.name) return 'It was verified and is in order.'
  return `The last one in order is from ${dayTimeText(verified.createdAt)}.`
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
