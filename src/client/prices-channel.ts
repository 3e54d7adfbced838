import type { RaayError } from './raay-error.js'
import type { GroupPrices, OutcomePrices } from './shapes.js'
import type { Channel, ChannelData } from './socket/server-message.js'
import type { Listener } from './watch.js'
import { Watch } from './watch.js'

/** A message of a group's channel. */
interface GroupData extends ChannelData {
  readonly seq: number
  /** Absent from a snapshot. */
  readonly prev_seq?: number
  readonly outcomes: readonly OutcomePrices[]
}

interface PricesChannelOptions {
  readonly code: string
  /** Called when the channel may have become live, or stopped being so. */
  onChange(): void
  /** Called when the channel is of no more use: its last watch has ended, or an error ends them all. */
  onIdle(): void
}

/** One group's channel: the prices of its outcomes, equal to the exchange's at the same `seq`. */
export class PricesChannel implements Channel {
  readonly topic = 'group'
  readonly key: string
  readonly address: string
  readonly #options: PricesChannelOptions
  readonly #watches = new Set<Watch<GroupPrices>>()
  #prices: GroupPrices | undefined
  #isSynced = false

  constructor(options: PricesChannelOptions) {
    this.#options = options
    this.key = options.code
    this.address = `event_group_${options.code}`
  }

  get seq(): number | undefined {
    return this.#prices?.seq
  }

  get isLive(): boolean {
    return this.#isSynced
  }

  watch(listener?: Listener<GroupPrices>): Watch<GroupPrices> {
    const watch: Watch<GroupPrices> = new Watch<GroupPrices>({
      keeps: 'latest',
      listener,
      state: () => this.#prices,
      onClose: () => this.#leave(watch),
    })
    this.#watches.add(watch)
    this.#tell(watch)
    return watch
  }

  take(data: ChannelData): boolean {
    const { type, seq, prev_seq = 0, outcomes } = data as GroupData
    const known = this.#prices
    if (type === 'snapshot') {
      this.#show(seq, outcomes)
      return true
    }
    // Before the first snapshot only leftovers of an earlier subscription arrive; after it, only repeats.
    if (known === undefined || seq <= known.seq) return true
    if (prev_seq > known.seq) return false
    const changed = new Map(outcomes.map(outcome => [outcome.event_id, outcome]))
    this.#show(
      seq,
      known.outcomes.map(outcome => changed.get(outcome.event_id) ?? outcome),
    )
    return true
  }

  subscribed(): void {
    // What has changed since `seq` follows at once. A snapshot does, too, and is all there is to wait for.
    this.#isSynced = this.seq !== undefined
  }

  cut(): void {
    this.#isSynced = false
  }

  close(): void {
    for (const watch of [...this.#watches]) watch.close()
  }

  fail(error: RaayError): void {
    // Before any listener hears of it: one that watches again needs a channel that is alive.
    this.#options.onIdle()
    for (const watch of [...this.#watches]) watch.fail(error)
  }

  #show(seq: number, outcomes: readonly OutcomePrices[]): void {
    this.#prices = { code: this.key, seq, outcomes }
    this.#isSynced = true
    for (const watch of this.#watches) this.#tell(watch)
  }

  #tell(watch: Watch<GroupPrices>): void {
    if (this.#prices === undefined) return
    watch.tell(this.#prices)
    watch.begin()
  }

  #leave(watch: Watch<GroupPrices>): void {
    this.#watches.delete(watch)
    if (this.#watches.size === 0) this.#options.onIdle()
    else this.#options.onChange()
  }
}
