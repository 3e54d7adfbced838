import type { Held } from '../../store/companions/companion-outbox.js'
import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { StoreKeys } from '../../backup/stores/encrypted-store.js'
import { examineCompanion } from '../../store/companions/companion-fault.js'
import type { CompanionKind } from '../../store/companions/companion-kind.js'
import { DecisionMark } from '../../store/companions/decision-mark.js'
import { companionPath } from '../../store/files/companion-files.js'
import { JournalReader } from '../journal-reader.js'
import { FencedError } from '../replication-error.js'
import type { OwnFile } from './followed-file.js'
import { isFileError, newOwner } from './followed-file.js'
import { BrokenPackError } from './pack.js'
import { PackFollower } from './pack-follower.js'
import type { PackLog } from './pack-log.js'
import { lastPack } from './pack-log.js'
import { StoppedError } from './pack-putting.js'
import { PackSender } from './pack-sender.js'

interface PacksOptions {
  readonly kind: CompanionKind
  /** The tables of the exchange, beside which the companion is. */
  readonly file: string
  readonly log: PackLog
  readonly keys: StoreKeys
  /** How long a change waits for others, unless an answer waits for it. */
  readonly lingerMs: number
  readonly warn: (message: string) => void
  readonly followed: (tables: readonly string[]) => void
  readonly held: (held: Held) => void
  readonly failing: (reason: string | undefined) => void
  readonly untrimmed: (reason: string | undefined) => void
}

/** How often a standby looks for the next pack. */
const LOOK_MS = 1000
/** How often a log may refuse a pack before an exchange begins to lead without it, and goes on trying. */
const TRIES_TO_LEAD = 3
/** The pause after the file could not be read. */
const READ_AGAIN_MS = 5000
/** How long a stop waits for the log; the next start sends the rest. */
const CLOSE_WITHIN_MS = 2000

/** A companion of an exchange and its log: takes what changes there, or sends what changes here. */
export class CompanionPacks {
  readonly #options: PacksOptions
  readonly #owner = newOwner()
  #isClosing = false
  #isLeading = false
  #follower: PackFollower | undefined
  #sender: PackSender | undefined
  /** The file as it was before the exchange opened it. */
  #own: OwnFile | undefined
  #isChanged = true
  #isHurried = false
  #wake = () => undefined as void
  /** Following or sending, until it is closed. */
  #running: Promise<void> = Promise.resolve()

  constructor(options: PacksOptions) {
    this.#options = options
  }

  /**
   * Takes what the log has more than the file, before anything else opens it. Returns false for a file in
   * doubt, which is left alone. Rejects if the log cannot be read, or if an exchange leads it in a later
   * epoch than this one.
   */
  async open(epoch: number): Promise<boolean> {
    const { log } = this.#options
    const last = await lastPack(log)
    if (last !== undefined && last.head.epoch > epoch) {
      throw new FencedError(`${log.name} was taken over: another exchange goes on from it`)
    }
    const canBeTaken = (last?.head.base ?? 0) > 0
    if (!this.#isUsable(canBeTaken)) return false
    const leads = epoch !== Number.POSITIVE_INFINITY
    if (!leads && last?.head.isEncrypted === true && this.#options.keys.recipients.length === 0) {
      throw new BrokenPackError(
        `${log.name} is encrypted: name --backup-recipient, too, for what this exchange writes once it leads`,
      )
    }
    const follower = this.#makeFollower(leads)
    try {
      await follower.open()
      await follower.catchUp()
    } catch (error) {
      follower.close()
      throw error
    }
    this.#follower = follower
    return true
  }

  /**
   * Takes the file as it is, whatever the log has. Returns false as above. Throws for a file that is gone if
   * the log cannot be read: one made now would be sent over the rows that the log has of it.
   *
   * @param unread why the log cannot be read; undefined if it is not this exchange's yet
   */
  openAlone(unread: string | undefined): boolean {
    const { kind, file, log } = this.#options
    if (unread !== undefined && this.#isGone()) {
      const path = companionPath(file, kind.companion)
      throw new BrokenPackError(
        `${path} is gone, and ${log.name}, which may have it, cannot be read (${unread}): ` +
          'start again once it can, or put the file back',
      )
    }
    if (!this.#isUsable(false)) return false
    const follower = this.#makeFollower(true)
    this.#own = follower.ownedBy(this.#owner)
    follower.close()
    return true
  }

  /**
   * Begins to lead, with all that the log has. A log that can be read and takes nothing is led later: the
   * journal's own log says who leads. Rejects if an exchange leads in a later epoch.
   */
  async lead(epoch: number): Promise<void> {
    const follower = this.#follower
    if (follower === undefined) return
    this.#isLeading = true
    this.#wake()
    await this.#running
    const look = async () => {
      await follower.catchUp()
      return follower.ownedBy(this.#owner)
    }
    if (!(await this.#makeSender(epoch).begin(look, TRIES_TO_LEAD))) {
      this.letGo()
      return
    }
    this.#follower = undefined
    follower.close()
  }

  /** Lets go of the log, which the exchange that opens the file now begins to lead later. */
  letGo(): void {
    if (this.#follower === undefined) return
    const { place: seen, ...own } = this.#follower.ownedBy(this.#owner)
    this.#own = { ...own, seen }
    this.#follower.close()
    this.#follower = undefined
  }

  /** Follows until it is to lead, or it is closed. Rejects if the log cannot be followed. */
  follow(): Promise<void> {
    this.#running = this.#follow()
    return this.#running
  }

  /** Sends until it is closed. Rejects if another exchange went on. */
  send(epoch: number): Promise<void> {
    this.#running = this.#send(this.#sender ?? this.#makeSender(epoch))
    return this.#running
  }

  /** Takes note that rows have changed. */
  noteChanged(): void {
    this.#isChanged = true
    this.#wake()
  }

  /** Sends what changed at once. */
  hurry(): void {
    this.#isHurried = true
    this.#wake()
  }

  /** Sends what is there, but not for long. */
  async close(): Promise<void> {
    this.#isClosing = true
    this.#wake()
    const late = new AbortController()
    const given = sleep(CLOSE_WITHIN_MS, undefined, { signal: late.signal }).catch(() => undefined)
    await Promise.race([this.#running.catch(() => undefined), given])
    late.abort()
    this.#sender?.close()
    this.#follower?.close()
  }

  async #follow(): Promise<void> {
    const { followed, failing } = this.#options
    while (!this.#isLeading && !this.#isClosing) {
      try {
        const tables = (await this.#follower?.catchUp()) ?? new Set()
        if (tables.size > 0) followed([...tables])
        failing(undefined)
      } catch (error) {
        if (error instanceof BrokenPackError) throw error
        failing(messageOf(error))
      }
      await this.#woken(() => this.#isLeading, LOOK_MS)
    }
  }

  async #send(sender: PackSender): Promise<void> {
    const { lingerMs } = this.#options
    const own = this.#own
    try {
      if (own !== undefined) await sender.begin(async () => own)
      for (;;) {
        this.#isChanged = false
        this.#isHurried = false
        if (await this.#sendSome(sender)) continue
        if (this.#isClosing) return
        await this.#woken(() => this.#isChanged)
        await this.#woken(() => this.#isHurried, lingerMs)
      }
    } catch (error) {
      if (!(error instanceof StoppedError)) throw error
    }
  }

  /** Sends some of what is there. A file that cannot be read is read again: the exchange serves meanwhile. */
  async #sendSome(sender: PackSender): Promise<boolean> {
    const { failing } = this.#options
    try {
      const isMore = await sender.send()
      failing(undefined)
      return isMore
    } catch (error) {
      if (!isFileError(error) || this.#isClosing) throw error
      failing(messageOf(error))
      await this.#pause(READ_AGAIN_MS)
      return true
    }
  }

  /** Waits, but not if an answer waits for what is sent. */
  async #pause(ms: number): Promise<void> {
    await this.#woken(() => this.#isHurried, ms)
    this.#isHurried = false
  }

  /** Waits until something holds, the exchange stops, or some time has passed. */
  async #woken(holds: () => boolean, ms?: number): Promise<void> {
    if (holds() || this.#isClosing || ms === 0) return
    await new Promise<void>(resolve => {
      const timer = ms === undefined ? undefined : setTimeout(resolve, ms)
      this.#wake = () => {
        if (!holds() && !this.#isClosing) return
        clearTimeout(timer)
        resolve()
      }
    })
    this.#wake = () => undefined
  }

  /** True if the exchange has had this file: it makes all before its first batch. */
  #isGone(): boolean {
    const { kind, file } = this.#options
    if (existsSync(companionPath(file, kind.companion))) return false
    const journal = new JournalReader(file)
    try {
      return journal.end.sequence > 0
    } finally {
      journal.close()
    }
  }

  #isUsable(canBeTaken: boolean): boolean {
    const { kind, file, warn } = this.#options
    const path = companionPath(file, kind.companion)
    const state = examineCompanion({ path }, kind)
    if (state.kind === 'sound') return true
    if (state.kind === 'doubtful') {
      warn(`${kind.name}: ${state.fault}. Nothing of it is replicated`)
      return false
    }
    // Accounts that the exchange had, and that are gone, are not begun once more without a word.
    const mayBegin = kind.chain === undefined || new DecisionMark(file).read()?.number === 0
    return mayBegin || canBeTaken
  }

  #makeFollower(leads: boolean): PackFollower {
    const { kind, file, log, keys, warn } = this.#options
    const path = companionPath(file, kind.companion)
    const keepsUnknown = leads && existsSync(path)
    const { identities } = keys
    return new PackFollower({ log, kind, path, exchangeFile: file, identities, keepsUnknown, warn })
  }

  #makeSender(epoch: number): PackSender {
    const { kind, file, log, keys, held, failing, untrimmed, warn } = this.#options
    const path = companionPath(file, kind.companion)
    const { recipients } = keys
    const pause = (ms: number) => this.#pause(ms)
    const isClosing = () => this.#isClosing
    const own = { owner: this.#owner, epoch, recipients }
    const told = { held, failing, untrimmed, warn }
    this.#sender = new PackSender({ log, kind, path, ...own, ...told, pause, isClosing })
    return this.#sender
  }
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
