import { z } from 'zod'
import { answerField } from '../fields.js'
import type { GroupSettlementPreview } from '../groups/group-shape.js'
import type { Checked, Same } from '../same-shape.js'
import { ACTIONS } from './action-query.js'
import type { AdminAction, Backup, Health, HealthHistory, SettlementPreview } from './operator-shape.js'

const { eventCode, contracts, rupees, moment, nextCursor } = answerField
const count = z.int().min(0)
const ms = z.number().min(0).meta({ description: 'Milliseconds' })

/** Fields of every logged request; each line adds its own. */
const actionFields = z
  .object({
    ...{ title: z.string(), description: z.string(), start_date: z.string(), end_date: z.string() },
    ...{ min_bet: z.number(), max_bet: z.number(), sot: z.string(), quantity: z.number() },
    ...{ payout: z.number(), tick_size: z.number() },
    ...{ outcome: answerField.outcome, source_url: z.string(), note: z.string() },
    category: z.string(),
    ...{ amount: z.number(), txn_id: z.string() },
    ...{ file: z.string(), bytes: count, sequence: count },
    ahead_ms: count,
    ...{ webhook: z.string(), url: z.string(), fingerprint: z.string(), events: z.string() },
    ...{ format: z.string(), state: z.string(), secret: z.string(), from_sequence: count },
  })
  .partial()
  .meta({
    id: 'AdminActionFields',
    description: 'The fields of the request, the file of a backup, or the jump of the clock',
  })

/** A line of the audit log. */
const action = z
  .object({
    id: z.string().meta({ description: 'The id of the entry' }),
    createdAt: moment,
    who: z
      .union([z.enum(['token', 'loopback', 'open', 'standby']), z.templateLiteral(['account:', z.string()])])
      .meta({ description: "The operator's key, an account, or anyone where no rights are needed" }),
    address: z
      .string()
      .meta({ description: 'Remote address of the connection; behind a proxy, that of the proxy' }),
    action: z.enum(ACTIONS),
    event_id: eventCode.nullable(),
    userid: z.string().nullable(),
    fields: actionFields,
    before: actionFields.meta({ description: 'What the fields of an edit were before; empty otherwise' }),
  })
  .meta({ id: 'AdminAction' })

const reason = z.enum(['asked', 'scheduled', 'before-restore', 'unknown'])

const failure = z.object({ createdAt: moment, message: z.string() })

const backup = z
  .object({
    name: z.string(),
    file: z.string().meta({ description: 'Path on the machine of the exchange, or URL' }),
    bytes: count,
    createdAt: moment,
    reason: reason
      .nullable()
      .meta({ description: 'null without a manifest: unfinished, or of an old version' }),
    sequence: count.nullable().meta({ description: 'The last batch in it' }),
    verification: z
      .object({ createdAt: moment, ok: z.boolean(), findings: z.array(z.string()) })
      .nullable()
      .meta({ description: 'null until it has been verified' }),
  })
  .meta({ id: 'Backup' })

const readLoad = z
  .object({
    running: count.meta({ description: 'In progress' }),
    waiting: count,
    refused: count.meta({ description: 'Since the start, with 503' }),
  })
  .meta({ id: 'ReadLoad' })

const verification = z
  .object({
    result: z.enum(['ok', 'broken', 'failed']).meta({ description: '`failed` if it did not finish' }),
    createdAt: moment,
    seconds: z.number().min(0),
    findings: z.array(z.string()).meta({ description: 'The first findings, or why it failed' }),
    count: count.meta({ description: 'Number of findings' }),
  })
  .meta({ id: 'Verification' })

const health = z
  .object({
    uptime: z.number().min(0).meta({ description: 'Seconds' }),
    version: z.string(),
    node: z.string(),
    orders: z.object({
      total: count.meta({ description: 'Since the start' }),
      per_second: count.meta({ description: 'In the last whole second' }),
      per_second_of_minute: z.number().min(0),
      latency_p50: ms.nullable(),
      latency_p99: ms.nullable(),
    }),
    shards: z.array(z.object({ shard: count, queue: count, batches_in_flight: count })),
    reads: z
      .object({ pages: readLoad, operator: readLoad, lookups: readLoad, feeds: readLoad })
      .meta({ description: 'Queued history reads, by kind' }),
    connections: count.meta({ description: 'TCP connections, HTTP and WebSocket' }),
    unsent_bytes: count.meta({ description: 'Bytes buffered for clients' }),
    sockets: count,
    subscriptions: count,
    accounts: count,
    events: count,
    open_orders: count,
    database_bytes: count,
    wal_bytes: count,
    journal_bytes: count,
    journal_wal_bytes: count,
    archive_bytes: count.meta({ description: 'Of what raay archive has moved; 0 without an archive' }),
    disk: z.object({
      state: z
        .enum(['ok', 'low', 'full'])
        .meta({ description: 'low: cancels and reads only; full: reads only' }),
      free_bytes: count,
      reserve_bytes: count.meta({
        description: 'Reserve for starts, stops and cancels, in addition to the free space',
      }),
    }),
    clock: z.object({
      trusted: z.boolean().meta({ description: 'false after a jump ahead, until it is confirmed' }),
      held_since: moment.nullable().meta({ description: 'When the exchange stopped following the clock' }),
      ahead_ms: count.meta({ description: 'How far the clock is ahead of the exchange' }),
    }),
    sequence: count.meta({ description: 'The last batch in the journal' }),
    tables: z
      .object({
        sequence: count.meta({ description: 'The last batch in the tables' }),
        commands_behind: count.meta({ description: 'Commands in the journal that the tables lack' }),
        reads_waiting: count.meta({ description: 'Reads that wait until the tables have caught up' }),
      })
      .meta({ description: 'The tables follow the journal in a thread of their own' }),
    last_backup: backup.nullable(),
    backups: z.object({
      last_verified: backup.nullable(),
      last_failure: failure
        .nullable()
        .meta({ description: 'Since the start, of a backup or its verification' }),
      verifying: z.string().nullable().meta({ description: 'The backup that is being verified' }),
      next: moment.nullable().meta({ description: 'When the next scheduled backup is due' }),
    }),
    replication: z
      .object({
        through: count
          .nullable()
          .meta({ description: 'The last batch that is there; null until it has answered' }),
        batches_behind: count
          .nullable()
          .meta({ description: 'Batches that a loss of this machine would take' }),
        kept_from: count
          .nullable()
          .meta({ description: 'The first batch that is kept there; counted every six hours' }),
        kept_bytes: count.nullable().meta({ description: 'The size of all batches there' }),
        failure: failure.nullable().meta({ description: 'Why the last attempt failed' }),
        trim_failure: failure.nullable().meta({ description: 'Why old batches there are not deleted' }),
      })
      .nullable()
      .meta({ description: 'The copy of the journal elsewhere; null without --replicate-to' }),
    role: z.enum(['leader', 'standby']).meta({ description: 'A standby follows another exchange' }),
    following: z
      .object({
        log_end: count
          .nullable()
          .meta({ description: 'The last batch of the log; null until it has said it' }),
        batches_behind: count.nullable(),
        lag_ms: z.number().min(0).meta({ description: 'How long ago the standby had all of the log' }),
        failure: z.string().nullable().meta({ description: 'Why the log does not answer' }),
      })
      .nullable()
      .meta({ description: 'How a standby follows; null for an exchange that leads' }),
    last_verification: verification.nullable(),
    event_loop_delay: z.object({ p50: ms, p99: ms, max: ms }),
  })
  .meta({ id: 'Health' })

const series = z.array(z.number().min(0))
const curve = z
  .object({
    step_seconds: z.number().meta({ description: 'Between two points' }),
    times: z
      .array(count)
      .meta({ description: 'Epoch milliseconds; the other lists have one entry for each' }),
    orders_per_second: series,
    latency_p99: z.array(ms.nullable()).meta({ description: 'null where there were no orders' }),
    queue: series.meta({ description: 'Commands waiting at all shards' }),
    event_loop_delay: series.meta({ description: 'Milliseconds, p99' }),
    connections: series,
    memory_bytes: series.meta({ description: 'Resident memory of the process' }),
    disk_free_bytes: series,
  })
  .meta({ id: 'HealthHistory' })

const settlementTotals = z
  .object({
    users: count,
    yes: contracts,
    no: contracts,
    escrow: rupees,
    payout: rupees.meta({ description: 'Total payout' }),
    collected: rupees.meta({ description: 'Taken back from users in profit when voiding' }),
    shortfall: rupees.meta({ description: 'Shortfall borne by the house' }),
    fees: rupees.meta({ description: 'Kept as fees; 0 when voiding, which gives them back' }),
    sum: rupees.meta({ description: 'escrow + collected + shortfall − payout − fees: 0' }),
  })
  .meta({ id: 'SettlementTotals' })

const previewedSettlement = z.object({
  userid: z.string().meta({ description: 'Empty for house quotes' }),
  yes: contracts,
  no: contracts,
  paid: rupees,
  payment: rupees,
  result: rupees,
})

const FIRST_ONLY = { description: 'On the first page only' }

const preview = z
  .object({
    event_id: eventCode,
    outcome: answerField.outcome,
    totals: settlementTotals.nullable().meta(FIRST_ONLY),
    settlements: z.array(previewedSettlement),
    next_cursor: nextCursor,
  })
  .meta({ id: 'SettlementPreview' })

const groupPreview = z
  .object({
    code: eventCode,
    winner: z.string().meta({ description: 'The code of an event, or `void`' }),
    totals: settlementTotals
      .omit({ yes: true, no: true })
      .meta({ id: 'GroupSettlementTotals' })
      .nullable()
      .meta(FIRST_ONLY),
    settlements: z.array(previewedSettlement.omit({ yes: true, no: true })),
    next_cursor: nextCursor,
  })
  .meta({ id: 'GroupSettlementPreview' })

const check = z
  .object({
    name: z.string(),
    result: z.enum(['ok', 'warn', 'fail']),
    found: z.string(),
    advice: z.string().optional().meta({ description: 'The way to fix it; absent if the result is ok' }),
  })
  .meta({ id: 'DoctorCheck' })

const doctor = z
  .object({
    ok: z.boolean().meta({ description: 'False if any result is fail' }),
    checkedAt: moment,
    checks: z.array(check),
  })
  .meta({ id: 'DoctorReport' })

/** Answers of the operator's own routes. */
export const adminAnswers = {
  actions: z.object({ actions: z.array(action), next_cursor: nextCursor }),
  madeBackup: backup.extend({ reason, sequence: count }).meta({ id: 'MadeBackup' }),
  backups: z.object({ backups: z.array(backup) }),
  checkedBackup: z.object({ name: z.string() }),
  promoted: z.object({ sequence: count }).meta({ id: 'Promoted' }),
  confirmedClock: z.object({ ahead_ms: count, time: moment }).meta({ id: 'ConfirmedClock' }),
  doctor,
  health,
  curve,
  metrics: z.string(),
  preview,
  groupPreview,
}

export type ActionAnswer = z.output<typeof action> &
  Checked<
    unknown,
    Same<Omit<AdminAction, 'fields' | 'before'>, Omit<z.output<typeof action>, 'fields' | 'before'>>
  >
export type BackupAnswer = Checked<Backup, Same<Backup, z.output<typeof backup>>>
export type HealthAnswer = Checked<Health, Same<Health, z.output<typeof health>>>
export type CurveAnswer = Checked<HealthHistory, Same<HealthHistory, z.output<typeof curve>>>
export type GroupPreviewAnswer = Checked<
  GroupSettlementPreview,
  Same<GroupSettlementPreview, z.output<typeof groupPreview>>
>
export type PreviewAnswer = Checked<SettlementPreview, Same<SettlementPreview, z.output<typeof preview>>>
