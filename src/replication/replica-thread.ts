import { dirname } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { assert } from '../core/assert.js'
import { IdFile, idText } from '../store/files/id-file.js'
import { HeldMarkFile } from './held-mark.js'
import { holderOf, openLeaseBucket } from './jetstream/jet-lease.js'
import type { OpenStream } from './jetstream/open-stream.js'
import { openStream, refuseUnsafe, streamOptionsOf } from './jetstream/open-stream.js'
import { openStandbyMarks } from './jetstream/standby-marks.js'
import { JournalReader } from './journal-reader.js'
import { LeaseWatch } from './lease-watch.js'
import { LocalJournal } from './local-journal.js'
import type { ReplicaNews, ReplicaOrder, ReplicaThreadData, ReplicationMode } from './replica-messages.js'
import { ReplicaWork } from './replica-work.js'
import { standbyId } from './standby-id.js'

const { file, settings, keepMs, isStandby, lease: memory } = workerData as ReplicaThreadData
const tell = (news: ReplicaNews): void => parentPort?.postMessage(news)

/** Returns the id of this exchange, which a standby that has just been made takes from its log. */
function ownId(): string {
  const id = new IdFile(file).read()
  assert(id !== undefined, 'an exchange has its id before it replicates')
  return idText(id)
}

const optionsIn = (mode: ReplicationMode) => ({
  ...streamOptionsOf(settings, ownId(), message => tell({ kind: 'warning', message })),
  mode,
})

const work = new ReplicaWork<OpenStream>({
  servers: {
    open: mode => openStream(optionsIn(mode)),
    check: (stream, mode) => refuseUnsafe(optionsIn(mode), stream),
    lease: openLeaseBucket,
    marks: stream => openStandbyMarks(stream, keepMs),
  },
  mode: settings.mode,
  isStandby,
  openJournal: () => new LocalJournal(file),
  mark: new HeldMarkFile(file),
  ownId,
  standbyId: () => standbyId(dirname(file)),
  openReader: () => new JournalReader(file),
  holder: holderOf(file),
  watch: new LeaseWatch({ memory }),
  tell,
})
work.start()
parentPort?.on('message', (order: ReplicaOrder) => work.obey(order))
