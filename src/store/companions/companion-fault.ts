import { existsSync } from 'node:fs'
import { basename } from 'node:path'
import type { Database } from '../database.js'
import { damageBehind, openDatabase, openReadOnly } from '../database.js'
import { sizeOfFile } from '../files/file-bytes.js'
import { idText } from '../files/id-file.js'
import { readLog } from '../files/log-frames.js'
import { newestVersion, schemaVersion, sqlOf, versionRefusal } from '../schema.js'
import { foreignObjects, lostObjects, objectsIn, objectsOf } from '../schema-objects.js'
import type { CompanionKind } from './companion-kind.js'
import type { ChainHead } from './decision-chain.js'
import { chainFault, chainHead, hashOfDecision } from './decision-chain.js'
import type { DecisionMark } from './decision-mark.js'

/** A companion's file and what must fit it. */
export interface CompanionPlace {
  readonly path: string
  /** The id of its exchange; undefined if any will do. */
  readonly exchange?: number | undefined
  /** Names its last decision. */
  readonly mark?: DecisionMark | undefined
}

/** The state of a companion's file. */
export type CompanionState =
  | { readonly kind: 'missing' }
  /** Foreign objects are those that Raay did not make in it. */
  | { readonly kind: 'sound'; readonly foreign: readonly string[] }
  /** With the error of a read that failed, which may say nothing about the file. */
  | { readonly kind: 'doubtful'; readonly fault: string; readonly error?: unknown }

/**
 * Reads a companion's file, its log first, and changes nothing. A connection of this process may have it
 * open, and so may a running exchange.
 */
export function examineCompanion(place: CompanionPlace, kind: CompanionKind): CompanionState {
  const { path, mark } = place
  // Read first: a running exchange writes the mark after each commit.
  const marked = mark?.read()
  const log = `${path}-wal`
  if (sizeOfFile(path) === 0) {
    if (sizeOfFile(log) === 0) return { kind: 'missing' }
    return doubtful(`it is empty or gone, and its log ${basename(log)} is there`)
  }
  // A log whose commits wait for no disk may end anywhere after a power cut.
  const damage = kind.isSynced ? readLog(log).damage : undefined
  if (damage !== undefined) {
    const { frame, frames } = damage
    const where = frame === 0 ? 'its head' : `frame ${frame} of ${frames}`
    return doubtful(`its log ${basename(log)} is damaged (${where}), with later changes behind the damage`)
  }
  try {
    return reading(path, database => stateOf(database, place, kind, marked))
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    const fault =
      damageBehind(error) === undefined ? `it cannot be read (${reason})` : `it is damaged (${reason})`
    return { kind: 'doubtful', fault, error }
  }
}

/** Reads at one moment. Only a write can roll back a first transaction that was cut off. */
function reading<Found>(path: string, read: (database: Database) => Found): Found {
  const database = (existsSync(`${path}-journal`) ? openDatabase : openReadOnly)(path)
  try {
    return database.transaction(() => read(database))()
  } finally {
    database.close()
  }
}

function stateOf(
  database: Database,
  { exchange }: CompanionPlace,
  { description, applicationId, schema, chain }: CompanionKind,
  marked: ChainHead | undefined,
): CompanionState {
  const damage = String(database.pragma('integrity_check(1)', { simple: true }))
  if (damage !== 'ok') return doubtful(`it is damaged (${damage})`)
  const version = schemaVersion(database)
  const isEmpty = database.prepare('SELECT 1 FROM main.sqlite_schema').get() === undefined
  if (isEmpty && version === 0) return { kind: 'missing' }
  if (Number(database.pragma('application_id', { simple: true })) !== applicationId) {
    return doubtful(`it is not ${description}`)
  }
  const refusal = versionRefusal(version, schema)
  if (refusal !== undefined) return doubtful(`it ${refusal}`)
  const found = objectsIn(database)
  const expected = objectsOf(sqlOf(schema, version))
  const foreign = foreignObjects(found, objectsOf(sqlOf(schema, newestVersion(schema))))
  const later = foreignObjects(found, expected).length - foreign.length
  if (lostObjects(found, expected).length > 0 || later > 0) {
    return doubtful(`its tables are not those of its version ${version}`)
  }
  const owner = exchangeOf(database)
  if (exchange !== undefined && owner !== 0 && owner !== exchange) {
    return doubtful(`it belongs to exchange ${idText(owner)}, this is ${idText(exchange)}`)
  }
  const fault = lackOf(database, marked) ?? (chain && chainFault(database, chain))
  return fault === undefined ? { kind: 'sound', foreign } : doubtful(fault)
}

/** Returns the exchange that a companion belongs to: 0 for none yet. */
function exchangeOf(database: Database): number {
  return database.prepare<unknown[], number>('SELECT id FROM main.exchange').pluck().get() ?? 0
}

/** Returns which decisions a file lacks that the mark says were taken. */
function lackOf(database: Database, marked: ChainHead | undefined): string | undefined {
  if (marked === undefined || marked.number === 0) return undefined
  const number = chainHead(database)()?.number ?? 0
  if (number < marked.number) return `it lacks the last ${marked.number - number} changes that were answered`
  const hash = hashOfDecision(database, marked.number)
  if (hash === undefined || hash === marked.hash) return undefined
  return `its change ${marked.number} is another than was answered`
}

const doubtful = (fault: string): CompanionState => ({ kind: 'doubtful', fault })
