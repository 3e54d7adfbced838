import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Backup, Health, RaayError } from '../../../client/client.js'
import type { FieldFault } from '../../forms/field-faults.js'
import { faultOf } from '../../forms/field-faults.js'
import { secondClock } from '../../kit/browser-clock.js'
import { dayTimeText, timeLeftText } from '../../kit/time-texts.js'
import { t } from '../../texts/admin-health.js'
import { clients } from '../admin-clients.js'
import { useOperatorAction } from '../operator-action.js'
import { BackupRows } from './backup-rows.jsx'
import { sizeText } from '../../../api/size-text.js'

interface BackupCardProps {
  readonly health: Pick<Health, 'last_backup' | 'backups'>
  readonly onDone: () => void
}

/** The newest backups, how their verification went, and a button that makes another. */
export function BackupCard({ health, onDone }: BackupCardProps) {
  const { last_backup: last, backups } = health
  const { fault, isBusy, run } = useOperatorAction([], backupFault)
  const listed = useSignal<readonly Backup[]>([])
  // Fetch the list again when something about the newest backups has changed.
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
        <h2 id="backup-title">{t.backups}</h2>
        <button type="button" class="button button-small" disabled={isBusy} onClick={make}>
          {isBusy ? t.backingUp : t.backUpNow}
        </button>
      </div>
      <div class="card-body" role="status">
        {last === null ? (
          <p class="faint">{t.noBackups}</p>
        ) : (
          <>
            <p>
              {t.lastBackup(
                dayTimeText(last.createdAt),
                agoText(last.createdAt, secondClock.value),
                sizeText(last.bytes),
              )}{' '}
              {verifiedText(backups.last_verified, last)}
            </p>
            <p class="faint backup-file">
              <code>{last.file}</code> {t.sameDisk}
            </p>
          </>
        )}
        {backups.next !== null && <p class="faint">{t.nextScheduled(dayTimeText(backups.next))}</p>}
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
  if (verified === null) return t.noneVerified
  if (verified.name === last.name) return t.isVerified
  return t.lastInOrder(dayTimeText(verified.createdAt))
}

function agoText(time: string, now: number): string {
  const ms = now - Date.parse(time)
  return ms < 1000 ? t.justNow : t.ago(timeLeftText(ms))
}

/** Explains a timeout: a large backup finishes even if the page stops waiting. */
function backupFault(error: RaayError): FieldFault {
  if (error.code !== 408) return faultOf(error, [])
  return { field: undefined, words: t.takesLong }
}
