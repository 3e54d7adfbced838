import { setTimeout as sleep } from 'node:timers/promises'
import type { StoreKeys } from '../../backup/stores/encrypted-store.js'
import type { Lineage, PackPlace } from '../../store/companions/companion-outbox.js'
import { earlierOwners, isAccepted, ownersOf } from '../../store/companions/companion-outbox.js'
import type { RowImage } from '../../store/companions/table-rows.js'
import { newestVersion } from '../../store/schema.js'
import type { FileOptions, OwnFile } from './followed-file.js'
import { FollowedFile } from './followed-file.js'
import type { Pack } from './pack.js'
import { laterEpoch, readPack, refuseNewer } from './pack.js'
import type { PackLog } from './pack-log.js'
import {
  goesOnFrom,
  LOOKS_BEFORE_LOST,
  lastPack,
  lastWhole,
  PAUSE_MS,
  packAt,
  refuseGap,
} from './pack-log.js'
import { PackRows } from './pack-rows.js'
import { readSnapshot } from './snapshot-reading.js'

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
  readonly #packed: PackRows
  /** Rows that later packs complete. */
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
  /** A pack that the file has, and behind which the log ended too early. */
  #ahead: PackPlace | undefined
  /** The latest epoch of a pack that was read: who led before it leads no more. */
  #epoch: number
  #looks = 0

  constructor(options: FollowerOptions) {
    this.#options = options
    this.#packed = new PackRows(options.identities)
    this.#file = new FollowedFile(options)
    this.#epoch = this.#file.lineage?.epoch ?? 0
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
    if (!this.#isKept && lineage !== undefined) await this.#keepNewer(lineage)
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
    const earlier = earlierOwners(before, owner)
    const lineage = { owner, earlier, place, hash, version, epoch: this.#epoch }
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
    this.#epoch = laterEpoch(this.#epoch, pack)
    if (this.#rows === undefined) this.#whole = this.#reading
  }

  /** Takes note that the log does not go on from the file, which may have all of a snapshot. */
  #lose(loaded = 0): void {
    this.#loaded = loaded
    this.#reading = this.#rows = undefined
  }

  async #loseAt(reading: Reading): Promise<void> {
    const { log } = this.#options
    await refuseGap(log, reading.place + 1, reading)
    this.#lose()
    await this.#keepNewer(this.#whole ?? reading)
  }

  /**
   * Takes nothing from a log that ends before a pack which this file has, such as a stream that was restored
   * as of an earlier time, until others have led it, or the one that leads has sent all rows again. What that
   * one has sent before its copy of all rows is there says nothing: the rest is older than this file. Nor
   * does what is sent by one who led earlier, and who finds the next place free again.
   */
  async #keepNewer(own: PackPlace): Promise<void> {
    const { log, kind, warn } = this.#options
    const last = await lastWhole(log)
    if (last === undefined || !this.#isNoNewer(last)) return
    const isShorter = last.head.place < own.place
    const other = isShorter ? undefined : await packAt(log, own.place)
    // A pack that was only deleted is not lost: the log goes on behind it.
    const isLost = isShorter || (other !== undefined && other.hash !== own.hash)
    if (!isLost || (!isShorter && last.head.epoch >= this.#epoch)) return
    this.#loaded = last.head.base
    this.#ahead = own
    warn(
      `${log.name} ends at pack ${last.head.place}, and this exchange has ${kind.name} as of pack ` +
        `${own.place}: it keeps them until the one that leads has sent all of them again`,
    )
  }

  /** Returns true if nobody has led a log who may have more than this file. */
  #isNoNewer(last: Pack | undefined): boolean {
    return goesOnFrom(last, this.#file) || (last !== undefined && last.head.epoch < this.#epoch)
  }

  /** Goes on where the log has again what it lacked: its servers may just have been elected. */
  async #goOn(): Promise<Reading | undefined> {
    const own = this.#ahead && (await packAt(this.#options.log, this.#ahead.place))
    if (own === undefined || own.hash !== this.#ahead?.hash) return undefined
    this.#ahead = undefined
    this.#read(own)
    return this.#reading
  }

  async #take(pack: Pack, changed: Set<string>): Promise<void> {
    const { head } = pack
    if (head.kind === 'begin' && !this.#goesOn(pack)) return
    if (head.kind === 'rows') {
      refuseNewer(head, this.#options.kind, this.#options.log.name)
      const { lineage } = this.#file
      if (lineage?.version !== head.version) {
        this.#lose()
        return
      }
      if (head.isFirst) this.#rows = []
      if (head.isFirst && head.isLast && head.number <= this.#file.counter) {
        // The file has sent them itself: one that leads need not have the key to read them.
        this.#file.write([], head, lineageOf(pack, lineage))
      } else if (this.#rows !== undefined && (await this.#packed.add(pack, this.#rows))) {
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

  /** Takes all rows of the last snapshot, and those that changed meanwhile; undefined if there is none. */
  async #load(changed: Set<string>): Promise<Reading | undefined> {
    const { log, kind, warn } = this.#options
    const last = await lastPack(log)
    const base = last?.head.base ?? 0
    if (last === undefined || base === 0) return undefined
    if (base === this.#loaded || this.#ahead !== undefined) {
      this.#seen = last.head.place
      const found = await this.#goOn()
      // Others that lead without these rows may have changed more.
      if (found !== undefined || this.#ahead === undefined) return found
      if (this.#isNoNewer(await lastWhole(log))) return undefined
    }
    const orphans = this.#file.keepOrphans(last.head.place, this.#isUnknown)
    await this.#file.replace(laterEpoch(this.#epoch, last), put => readSnapshot(this.#options, base, put))
    const { lineage } = this.#file
    if (lineage === undefined) return undefined
    this.#whole = lineage
    this.#epoch = lineage.epoch
    this.#loaded = base
    this.#ahead = undefined
    this.#isUnknown = false
    for (const table of this.#file.tables()) changed.add(table)
    const aside = orphans === undefined ? '' : `; what only this exchange had is in ${orphans}`
    warn(`took ${kind.name} from ${log.name}, as of pack ${lineage.place}${aside}`)
    this.#reading = lineage
    return lineage
  }
}

function readingOf({ head, hash }: Pack): Reading {
  return { place: head.place, hash, owner: head.owner }
}

function lineageOf(pack: Pack, before: Lineage | undefined): Lineage {
  const { head, hash } = pack
  const { owner, place } = head
  const version = (head.kind === 'begin' ? before?.version : undefined) ?? head.version
  const epoch = laterEpoch(before?.epoch ?? 0, pack)
  return { owner, earlier: earlierOwners(before, owner), place, hash, version, epoch }
}
