import { setTimeout as sleep } from 'node:timers/promises'
import type { StoreKeys } from '../../backup/stores/encrypted-store.js'
import type { Lineage } from '../../store/companions/companion-outbox.js'
import { earlierOwners, isAccepted, ownersOf } from '../../store/companions/companion-outbox.js'
import type { RowImage } from '../../store/companions/table-rows.js'
import { newestVersion } from '../../store/schema.js'
import type { FileOptions, OwnFile } from './followed-file.js'
import { FollowedFile } from './followed-file.js'
import type { Pack, PackHead } from './pack.js'
import { BrokenPackError, readPack, unpackRows } from './pack.js'
import type { PackLog } from './pack-log.js'
import { goesOnFrom, LOOKS_BEFORE_LOST, lastPack, PAUSE_MS, packAt, refuseGap } from './pack-log.js'

interface FollowerOptions extends FileOptions {
  readonly log: PackLog
  readonly identities: StoreKeys['identities']
  /** Takes nothing for a file of unknown rows unless others have led since: one that leads sends all. */
  readonly keepsUnknown?: boolean
  readonly warn: (message: string) => void
}

/** How often the end of a log without a next pack is asked for: packs may have been deleted. */
const LOOKS_BEFORE_END = 30

/** The last pack that a file has. */
type Reading = Pick<Lineage, 'place' | 'hash' | 'owner'>

/**
 * Brings the file of a companion to the state of its log, and keeps it there. One that the log goes on from
 * takes the rows that changed; any other one takes a snapshot first: what only it had is put into `orphans/`.
 */
export class PackFollower {
  readonly #options: FollowerOptions
  readonly #file: FollowedFile
  /** The last pack that was read; undefined while the file is not one that the log goes on from. */
  #reading: Reading | undefined
  /** Bodies of packs whose text goes on in the next one, and rows that later ones complete. */
  #cut: Uint8Array[] = []
  #rows: RowImage[] | undefined
  /** The last pack behind which the file has all rows. */
  #whole: Reading | undefined
  #isKept = false
  /** True if it is not known which rows of the file the log has. */
  #isUnknown = false
  /** The end of a log that has no copy of what leads now, but whose other rows the file has. */
  #seen: number | undefined
  /** The snapshot of which the file has all that follows, though the log does not go on from there. */
  #loaded = 0
  #looks = 0

  constructor(options: FollowerOptions) {
    this.#options = options
    this.#file = new FollowedFile(options)
  }

  /** Looks whether the log goes on from the file; to be called first. */
  async open(): Promise<void> {
    const { log, keepsUnknown } = this.#options
    const { lineage } = this.#file
    const own = lineage && (await packAt(log, lineage.place))
    if (own !== undefined && own.hash === lineage?.hash) {
      this.#read(own)
      return
    }
    const last = await lastPack(log)
    // Unless its pack was deleted from the log since: then the outbox says what it has not sent.
    const isBehind = lineage !== undefined && lineage.place > 0 && lineage.place < (last?.head.place ?? 0)
    this.#isUnknown = !isBehind || own !== undefined
    // The filling of one without rows was broken off.
    this.#isKept = keepsUnknown === true && !this.#file.isEmpty && goesOnFrom(last, this.#file)
    if (isAccepted(lineage)) this.#file.adopt(this.#isKept ? last?.head : undefined)
  }

  /**
   * Takes all packs behind the last one; returns the tables in which rows changed. Rejects if the log cannot
   * be read; the file has what came before.
   */
  async catchUp(): Promise<ReadonlySet<string>> {
    const changed = new Set<string>()
    try {
      while (!this.#isKept && (await this.#takeNext(changed)));
    } catch (error) {
      // Packs that are taken together are read again from the first one.
      this.#rows = undefined
      if (this.#reading !== undefined) this.#reading = this.#whole
      throw error
    }
    return changed
  }

  /** Returns false at the end of the log. */
  async #takeNext(changed: Set<string>): Promise<boolean> {
    const reading = this.#reading ?? (await this.#load(changed))
    if (reading === undefined) return false
    const bytes = await this.#options.log.get(reading.place + 1)
    if (bytes === undefined) {
      const found = await this.#behind(reading)
      if (found === 'gap') await this.#loseAt(reading)
      return found !== 'nothing'
    }
    const pack = readPack(reading.place + 1, bytes)
    const follows = pack.head.before === reading.hash
    await (follows ? this.#take(pack, changed) : this.#loseAt(reading))
    return true
  }

  /**
   * Returns the file for one that begins to lead with it, which is written down first: whatever happens then,
   * packs of the new owner are this file's own.
   */
  ownedBy(owner: string): OwnFile {
    const before = this.#file.lineage
    const { place, hash } = this.#reading ?? (this.#isKept ? undefined : before) ?? { place: 0, hash: '' }
    const version = newestVersion(this.#options.kind.schema)
    const lineage = { owner, earlier: earlierOwners(before, owner), place, hash, version }
    this.#file.setLineage(lineage)
    return { lineage, counter: this.#file.counter, place: this.#reading?.place ?? this.#seen }
  }

  close(): void {
    this.#file.close()
  }

  /** Looks for what is behind a pack whose next one was not there. */
  async #behind({ place, hash }: Reading): Promise<'nothing' | 'more' | 'gap'> {
    // An answer for each look would cost a list of all objects.
    if (this.#looks++ % LOOKS_BEFORE_END !== 0) return 'nothing'
    const { log } = this.#options
    for (let looks = LOOKS_BEFORE_LOST; ; looks--) {
      const last = await log.last()
      if (last === place) return 'nothing'
      // It may have come since; or the packs up to there were deleted.
      if (last > place) return (await log.get(place + 1)) === undefined ? 'gap' : 'more'
      const own = await packAt(log, place)
      if (own !== undefined) return own.hash === hash ? 'nothing' : 'gap'
      if (looks === 1) return 'gap'
      await sleep(PAUSE_MS)
    }
  }

  #read(pack: Pack): void {
    this.#reading = readingOf(pack)
    if (this.#rows === undefined) this.#whole = this.#reading
  }

  /** Takes note that the log does not go on from the file, which may have all of a snapshot. */
  #lose(loaded = 0): void {
    this.#loaded = loaded
    this.#reading = this.#rows = undefined
  }

  async #loseAt(reading: Reading): Promise<void> {
    await refuseGap(this.#options.log, reading.place + 1, reading)
    this.#lose()
  }

  async #take(pack: Pack, changed: Set<string>): Promise<void> {
    const { head } = pack
    if (head.kind === 'begin' && !this.#goesOn(pack)) return
    if (head.kind === 'rows') {
      this.#refuseNewer(head)
      const { lineage } = this.#file
      if (lineage?.version !== head.version) {
        this.#lose()
        return
      }
      if (head.isFirst) this.#rows = []
      if (head.isFirst && head.isLast && head.number <= this.#file.counter) {
        // The file has sent them itself: one that leads need not have the key to read them.
        this.#file.write([], head, lineageOf(pack, lineage))
      } else if (this.#rows !== undefined && (await this.#gather(pack, this.#rows))) {
        this.#file.write(this.#rows, head, lineageOf(pack, lineage))
        for (const [table] of this.#rows) changed.add(table)
        this.#rows = undefined
      }
    }
    this.#read(pack)
  }

  /** Returns whether the log goes on from the file where an exchange begins to lead. */
  #goesOn(pack: Pack): boolean {
    const { head } = pack
    const { lineage, isSent } = this.#file
    const isOwn = ownersOf(lineage).includes(head.owner)
    if (!isOwn && (head.base === 0 || head.until > 0)) {
      // With another file: all that the log has before is here, until it has a snapshot of that one.
      this.#lose(head.base)
      return false
    }
    if (!isOwn && !isSent) {
      // Without what this file has not sent.
      this.#lose()
      return false
    }
    this.#rows = undefined
    if (!isOwn) this.#file.followOwner(head.number, lineageOf(pack, lineage))
    return true
  }

  /** Collects the rows of packs that are taken together; returns true once they are complete. */
  async #gather({ head, body }: Pack, rows: RowImage[]): Promise<boolean> {
    if (head.isFirst) this.#cut = []
    this.#cut.push(body)
    if (head.isCut) return false
    const whole = Buffer.concat(this.#cut)
    this.#cut = []
    for (const row of await unpackRows(whole, head, this.#options.identities)) rows.push(row)
    return head.isLast
  }

  /** Takes all rows of the last snapshot, and those that changed meanwhile; undefined if there is none. */
  async #load(changed: Set<string>): Promise<Reading | undefined> {
    const { log, kind, warn } = this.#options
    const last = await lastPack(log)
    const base = last?.head.base ?? 0
    if (last === undefined || base === 0) return undefined
    if (base === this.#loaded) this.#seen = last.head.place
    if (base === this.#loaded) return undefined
    const orphans = this.#file.keepOrphans(last.head.place, this.#isUnknown)
    await this.#file.replace(async put => {
      const [snapshot, between] = await this.#readSnapshot(base, put)
      return [snapshot, await this.#putBetween(between, snapshot, put)]
    })
    const { lineage } = this.#file
    if (lineage === undefined) return undefined
    this.#whole = lineage
    this.#loaded = base
    this.#isUnknown = false
    for (const table of this.#file.tables()) changed.add(table)
    const aside = orphans === undefined ? '' : `; what only this exchange had is in ${orphans}`
    warn(`took ${kind.name} from ${log.name}, as of pack ${lineage.place}${aside}`)
    this.#reading = lineage
    return lineage
  }

  /** Reads a snapshot; returns its last pack, and those of rows between its packs. */
  async #readSnapshot(
    base: number,
    put: (rows: readonly RowImage[]) => void,
  ): Promise<readonly [Pack, readonly Pack[]]> {
    const between: Pack[] = []
    for (let pack = await this.#next(base); ; pack = await this.#next(pack.head.place + 1, pack)) {
      this.#refuseNewer(pack.head)
      if (pack.head.kind !== 'snapshot') {
        between.push(pack)
        continue
      }
      const rows: RowImage[] = []
      await this.#gather(pack, rows)
      put(rows)
      if (pack.head.isLast) return [pack, between]
    }
  }

  /** Takes the rows that changed while a snapshot was sent; returns the last pack with any. */
  async #putBetween(
    packs: readonly Pack[],
    snapshot: Pack,
    put: (rows: readonly RowImage[]) => void,
  ): Promise<Pack> {
    let last = snapshot
    let rows: RowImage[] = []
    for (const pack of packs) {
      if (pack.head.isFirst) rows = []
      if (!(await this.#gather(pack, rows))) continue
      put(rows)
      last = pack
    }
    return last
  }

  async #next(place: number, before?: Pack): Promise<Pack> {
    const { log } = this.#options
    const pack = await packAt(log, place)
    if (pack !== undefined && (before === undefined || pack.head.before === before.hash)) return pack
    await refuseGap(log, place, before && readingOf(before))
    throw new Error(`pack ${place} of ${log.name} was deleted while it was read`)
  }

  #refuseNewer({ version }: PackHead): void {
    const { kind, log } = this.#options
    const newest = newestVersion(kind.schema)
    if (version <= newest) return
    throw new BrokenPackError(
      `${log.name} has ${kind.name} of version ${version}, this program knows ${newest}: ` +
        'install the version of the exchange that leads',
    )
  }
}

function readingOf({ head, hash }: Pack): Reading {
  return { place: head.place, hash, owner: head.owner }
}

function lineageOf({ head, hash }: Pack, before: Lineage | undefined): Lineage {
  const version = (head.kind === 'begin' ? before?.version : undefined) ?? head.version
  return { owner: head.owner, earlier: earlierOwners(before, head.owner), place: head.place, hash, version }
}
