import { DONE } from '../answer-texts.js'
import { eventAnswers } from '../events/event-answer.js'
import { editSchema } from '../events/event-edit-schema.js'
import { actionQuery } from './action-query.js'
import { adminAnswers } from './admin-answer.js'
import { previewQuery } from './resolution-schema.js'
import { FULL, REFUSED } from '../refusal-texts.js'
import { PAGE_FAULTS, RANGE, route } from '../route.js'
import { samples } from '../samples.js'

const FIELDS = Object.keys(editSchema.shape).join(', ')
const OVER = 'Event is resolved as yes: its outcome can no longer change'

const group = 'Operator'
const backup = {
  name: 'raay-20260201T120000.000Z',
  file: '/srv/raay/backups/raay-20260201T120000.000Z.db',
  bytes: 106_496,
  createdAt: samples.at,
  ...{ reason: 'asked', sequence: 480, verification: null },
}

const action = {
  ...{ id: '12-0', createdAt: samples.at, who: 'loopback', address: '127.0.0.1', action: 'resolve' },
  ...{ event_id: '1000001', userid: null, fields: { outcome: 'yes' }, before: {} },
}

const preview = {
  event_id: '1000001',
  outcome: 'yes',
  totals: { users: 1, yes: 4, no: 0, escrow: 40, payout: 40, collected: 0, shortfall: 0, fees: 0, sum: 0 },
  settlements: [{ userid: 'asha', yes: 4, no: 0, paid: 26, payment: 40, result: 14 }],
  next_cursor: null,
}

const doctor = {
  ok: true,
  checkedAt: samples.at,
  checks: [
    { name: 'node', result: 'ok', found: 'v22.23.0, maintained until 2027-04-30' },
    { name: 'backups', result: 'warn', found: 'none with a manifest', advice: 'make one with raay backup' },
  ],
}

const READ_LOAD = { running: 0, waiting: 0, refused: 0 }

const health = {
  ...{ uptime: 61.5, version: '0.1.0', node: 'v22.23.0' },
  orders: { total: 600, per_second: 12, per_second_of_minute: 9.5, latency_p50: 6.1, latency_p99: 28.7 },
  shards: [{ shard: 0, queue: 0, batches_in_flight: 1 }],
  reads: { pages: { ...READ_LOAD, waiting: 4 }, operator: READ_LOAD, lookups: READ_LOAD, feeds: READ_LOAD },
  ...{
    connections: 5,
    unsent_bytes: 12_000,
    sockets: 3,
    subscriptions: 7,
    accounts: 20,
    events: 2,
    open_orders: 45,
  },
  ...{
    database_bytes: 1_048_576,
    wal_bytes: 358_472,
    journal_bytes: 524_288,
    journal_wal_bytes: 86_552,
    archive_bytes: 0,
    sequence: 480,
    last_backup: null,
    backups: { last_verified: null, last_failure: null, verifying: null, next: samples.at },
    replication: null,
    role: 'leader',
    following: null,
    last_verification: null,
  },
  tables: { sequence: 478, commands_behind: 51, reads_waiting: 2 },
  clock: { trusted: true, held_since: null, ahead_ms: 0 },
  disk: { state: 'ok', free_bytes: 84_825_604_096, reserve_bytes: 134_217_728 },
  event_loop_delay: { p50: 0.1, p99: 4.2, max: 20 },
}

/** Routes of operators, apart from the life of an event and its money. */
export const adminRoutes = {
  editEvent: route({
    id: 'editEvent',
    method: 'PATCH',
    path: '/events/:code',
    needs: 'operator:operate',
    group,
    summary: 'Edit an event',
    description:
      'Changes all the given fields or none. An end_date in the past closes the event immediately.',
    body: { schema: editSchema, samples: { edit: { title: 'Will it rain on Monday?', quantity: 50_000 } } },
    answers: [
      {
        code: 200,
        message: DONE.eventEdited,
        additional: eventAnswers.event,
        samples: { edited: { additional: samples.event } },
      },
    ],
    refusals: {
      404: [REFUSED.eventNotFound],
      409: [REFUSED.eventExists, 'Event is closed: its end_date can no longer change'],
      422: [
        `body: Expected one of ${FIELDS}`,
        `payout: Cannot change; what can is ${FIELDS}`,
        'end_date: Expected a time after start_date',
        'quantity: Expected 4 or more, the open interest',
      ],
      503: [FULL.queue_full],
    },
  }),
  previewSettlement: route({
    id: 'previewSettlement',
    method: 'GET',
    path: '/events/:code/settlement',
    needs: 'operator:read',
    group,
    summary: 'Preview a settlement',
    description:
      'Computed from the data on disk; nothing is written. Only the first page includes the totals.',
    query: previewQuery,
    querySample: { outcome: 'void', limit: 100, cursor: '4' },
    answers: [
      {
        code: 200,
        message: DONE.settlementPreviewed,
        additional: adminAnswers.preview,
        samples: { preview: { additional: preview } },
      },
    ],
    looksUp: true,
    refusals: {
      404: [REFUSED.eventNotFound],
      409: ['Event is open: close it first', OVER, REFUSED.groupPreview],
      422: ['outcome: Required', ...PAGE_FAULTS],
    },
  }),
  listActions: route({
    id: 'listActions',
    method: 'GET',
    path: '/admin/actions',
    needs: 'operator:read',
    group,
    summary: 'List operator actions, newest first',
    description: 'A search reads 10,000 lines a page: a page may be short or empty and still have a next.',
    query: actionQuery,
    querySample: {
      ...{ q: 'rain', who: 'priya', action: 'edit', event_id: '1000001', userid: 'asha' },
      ...{ ...RANGE.sample, limit: 100, cursor: '12-0' },
    },
    answers: [
      {
        code: 200,
        message: DONE.actionsFetched,
        additional: adminAnswers.actions,
        samples: { 'the last page': { additional: { actions: [action], next_cursor: null } } },
      },
    ],
    looksUp: true,
    refusals: { 422: [...RANGE.faults, ...PAGE_FAULTS] },
  }),
  getAdminHealth: route({
    id: 'getAdminHealth',
    method: 'GET',
    path: '/admin/health',
    needs: 'operator:read',
    isOfProcess: true,
    group,
    summary: 'Get the health of the exchange',
    answers: [
      {
        code: 200,
        message: DONE.healthFetched,
        additional: adminAnswers.health,
        samples: { healthy: { additional: health } },
      },
    ],
    refusals: {},
  }),
  getDoctor: route({
    id: 'getDoctor',
    method: 'GET',
    path: '/admin/doctor',
    needs: 'operator:read',
    isOfProcess: true,
    group,
    summary: 'Check the machine and the data of the exchange',
    description: 'Each finding that is not `ok` says what to do. A check is made every ten seconds at most.',
    answers: [
      {
        code: 200,
        message: DONE.doctorFetched,
        additional: adminAnswers.doctor,
        samples: { ready: { additional: doctor } },
      },
    ],
    refusals: {},
  }),
  confirmClock: route({
    id: 'confirmClock',
    method: 'POST',
    path: '/admin/clock/confirm',
    needs: 'operator:operate',
    group,
    summary: 'Follow a clock that jumped ahead',
    description:
      'After a forward jump of more than an hour, the exchange stops following the clock. ' +
      'Confirm only if the clock is right: events that end before its time close for good. No body needed.',
    answers: [
      {
        code: 200,
        message: DONE.clockConfirmed,
        additional: adminAnswers.confirmedClock,
        samples: { confirmed: { additional: { ahead_ms: 1_209_600_000, time: samples.at } } },
      },
    ],
    refusals: { 409: [REFUSED.clockTrusted] },
  }),
  makeBackup: route({
    id: 'makeBackup',
    method: 'POST',
    path: '/admin/backup',
    needs: 'operator:operate',
    group,
    summary: 'Copy the data file',
    description:
      'Trading continues during the backup. 201: the copy is complete and synced to disk. No body needed.',
    answers: [
      {
        code: 201,
        message: DONE.backupMade,
        additional: adminAnswers.madeBackup,
        samples: { made: { additional: backup } },
      },
    ],
    refusals: { 409: [REFUSED.backupUnderWay] },
  }),
  verifyBackup: route({
    id: 'verifyBackup',
    method: 'POST',
    path: '/admin/backups/:backup/verify',
    needs: 'operator:operate',
    group,
    summary: 'Verify a backup',
    description:
      'In a process of its own, after those before it; the list of backups shows the result. No body needed.',
    answers: [
      {
        code: 200,
        message: DONE.backupChecking,
        additional: adminAnswers.checkedBackup,
        samples: { begins: { additional: { name: backup.name } } },
      },
    ],
    refusals: { 404: [REFUSED.backupNotFound], 409: [REFUSED.backupSealed] },
  }),
  listBackups: route({
    id: 'listBackups',
    method: 'GET',
    path: '/admin/backups',
    needs: 'operator:read',
    group,
    summary: 'List backups, newest first',
    answers: [
      {
        code: 200,
        message: DONE.backupsFetched,
        additional: adminAnswers.backups,
        samples: { one: { additional: { backups: [backup] } } },
      },
    ],
    refusals: {},
  }),
  getMetrics: route({
    id: 'getMetrics',
    method: 'GET',
    path: '/metrics',
    needs: 'operator:read',
    isOfProcess: true,
    group,
    summary: 'Get metrics in the Prometheus format',
    takesAnyQuery: true,
    answers: [
      {
        code: 200,
        content: { type: 'text/plain', schema: adminAnswers.metrics, sample: 'raay_orders_total 600\n' },
      },
    ],
    refusals: {},
  }),
}
