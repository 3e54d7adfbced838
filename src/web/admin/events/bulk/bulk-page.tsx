import type { Signal } from '@preact/signals'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { MarketRequest } from '../../../../client/client.js'
import { failureOf } from '../../../forms/action.js'
import { nowMs } from '../../../kit/browser-clock.js'
import { siteName } from '../../../kit/page-site.js'
import { t } from '../../../texts/admin-events.js'
import { clients } from '../../admin-clients.js'
import { eventFaultOf } from '../event-faults.js'
import { BulkPreview } from './bulk-preview.jsx'
import type { BulkFile, BulkRow } from './bulk-rows.js'
import { readBulk } from './bulk-rows.js'

const MARKETS_MAX = 10_000

/** Makes many events from a CSV file: checks all rows, shows them, then makes one event after the other. */
export function BulkPage() {
  const text = useSignal('')
  const file = useSignal<BulkFile | undefined>(undefined)
  const made = useSignal(0)
  const isBusy = useSignal(false)
  const fault = useSignal('')
  useEffect(() => {
    document.title = t.pageTitle(t.createFromCsv, siteName)
  }, [])
  const check = async () => {
    fault.value = ''
    isBusy.value = true
    try {
      const known = await clients.asking.fetchMarkets({ description: 'no', limit: MARKETS_MAX })
      file.value = readBulk(text.value, known, nowMs())
    } catch (error) {
      fault.value = eventFaultOf(failureOf(error)).words
    }
    isBusy.value = false
  }
  const make = async (rows: readonly BulkRow[]) => {
    made.value = 0
    isBusy.value = true
    const wanted = rows.flatMap(({ line, request }) => (request === undefined ? [] : [{ line, request }]))
    const stopped = await makeAll(wanted, made)
    await check()
    if (stopped !== undefined) fault.value = t.bulk.stopped(stopped.line, made.value, stopped.words)
  }
  return (
    <>
      <div class="page-head">
        <h1>{t.createFromCsv}</h1>
        <a class="button" href="/admin">
          {t.backToEvents}
        </a>
      </div>
      <FileForm
        text={text}
        isBusy={isBusy.value}
        errorMessage={fault.value !== '' ? fault.value : faultIn(file.value)}
        onChange={() => {
          file.value = undefined
        }}
        onCheck={check}
      />
      {file.value !== undefined && 'rows' in file.value && (
        <BulkPreview rows={file.value.rows} made={made.value} isBusy={isBusy.value} onMake={make} />
      )}
    </>
  )
}

interface FileFormProps {
  readonly text: Signal<string>
  readonly isBusy: boolean
  readonly errorMessage: string
  readonly onChange: () => void
  readonly onCheck: () => Promise<void>
}

/** Takes the rows as a file or as text. */
function FileForm({ text, isBusy, errorMessage, onChange, onCheck }: FileFormProps) {
  return (
    <section class="card card-body form">
      <p class="soft">{t.bulk.what}</p>
      <div class="form-field">
        <label for="field-file">{t.bulk.file}</label>
        <input
          id="field-file"
          type="file"
          accept=".csv,text/csv"
          onChange={event => {
            void event.currentTarget.files?.[0]?.text().then(read => {
              text.value = read
              return onCheck()
            })
          }}
        />
      </div>
      <div class="form-field form-field-long">
        <label for="field-rows">{t.bulk.rows}</label>
        <textarea
          id="field-rows"
          class="field"
          rows={6}
          spellcheck={false}
          placeholder={t.bulk.example}
          value={text.value}
          onInput={event => {
            text.value = event.currentTarget.value
            onChange()
          }}
        />
      </div>
      <div class="form-foot">
        <p class="fault" role="alert">
          {errorMessage}
        </p>
        <button
          type="button"
          class="button"
          disabled={isBusy || text.value.trim() === ''}
          onClick={() => void onCheck()}
        >
          {t.bulk.check}
        </button>
      </div>
    </section>
  )
}

function faultIn(file: BulkFile | undefined): string {
  return file !== undefined && 'fault' in file ? file.fault : ''
}

/** Makes the events in order; stops at the first failure and returns it. */
async function makeAll(
  wanted: readonly { readonly line: number; readonly request: MarketRequest }[],
  made: Signal<number>,
): Promise<{ readonly line: number; readonly words: string } | undefined> {
  for (const { line, request } of wanted) {
    try {
      await clients.doing.operator.createMarket(request)
      made.value++
    } catch (error) {
      return { line, words: eventFaultOf(failureOf(error)).words }
    }
  }
  return undefined
}
