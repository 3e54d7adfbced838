import { useSignal } from '@preact/signals'
import type { Backup } from '../../client/client.js'
import { secondClock } from '../browser-clock.js'
import { dayTimeText, timeLeftText } from '../time-texts.js'
import { clients, hear } from './admin-access.js'
import { bytesText } from './health-texts.js'
import { troubleWords } from './trouble-words.js'

interface BackupCardProps {
  readonly last: Backup | null
  readonly onDone: () => void
}

/** The last copy of the data file, and a button that makes one. */
export function BackupCard({ last, onDone }: BackupCardProps) {
  const trouble = useSignal('')
  const isBusy = useSignal(false)
  const make = async () => {
    isBusy.value = true
    trouble.value = ''
    try {
      await clients.value.patient.operator.makeBackup()
      onDone()
    } catch (error) {
      const heard = hear(error)
      if (heard !== undefined) trouble.value = backupTrouble(heard)
    }
    isBusy.value = false
  }
  return (
    <section class="card" aria-labelledby="backup-title">
      <div class="card-head">
        <h2 id="backup-title">Backup</h2>
        <button type="button" class="button button-small" disabled={isBusy.value} onClick={make}>
          {isBusy.value ? 'Copying…' : 'Make one now'}
        </button>
      </div>
      <div class="card-body" role="status">
        {last === null ? (
          <p class="faint">There is none yet. A copy is made while trading goes on.</p>
        ) : (
          <>
            <p>
              The last is from {dayTimeText(last.createdAt)}, {agoText(last.createdAt, secondClock.value)},
              with {bytesText(last.bytes)}.
            </p>
            <p class="faint backup-file">
              <code>{last.file}</code> Move copies to another machine: one that lies beside the file is lost
              with it.
            </p>
          </>
        )}
        {trouble.value !== '' && <p class="fault">{trouble.value}</p>}
      </div>
    </section>
  )
}

function agoText(time: string, now: number): string {
  const ms = now - Date.parse(time)
  return ms < 1000 ? 'just now' : `${timeLeftText(ms)} ago`
}

/** A copy of a large file may take longer than this page waits, and is made all the same. */
function backupTrouble(error: { readonly code: number; readonly message: string }): string {
  return error.code === 408
    ? 'It takes long. It goes on without this page, which shows it as soon as it is there.'
    : troubleWords(error)
}
