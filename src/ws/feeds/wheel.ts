/** A timing wheel that advances one slot at a time, spreading its members evenly over a round. */
export class Wheel<Member> {
  readonly #slots: readonly Set<Member>[]
  readonly #slotOf = new Map<Member, Set<Member>>()
  #next = 0

  constructor(slotCount: number) {
    this.#slots = Array.from({ length: slotCount }, () => new Set<Member>())
  }

  /**
   * Adds a member to the emptiest slot, so that no slot exceeds its share of the maximum; on a tie, to the
   * slot furthest away.
   */
  add(member: Member): void {
    const upcoming = [...this.#slots.slice(this.#next), ...this.#slots.slice(0, this.#next)]
    const slot = upcoming.reduceRight((least, other) => (other.size < least.size ? other : least))
    slot.add(member)
    this.#slotOf.set(member, slot)
  }

  delete(member: Member): void {
    this.#slotOf.get(member)?.delete(member)
    this.#slotOf.delete(member)
  }

  /** Advances one slot and returns its members. */
  advance(): Iterable<Member> {
    const slot = this.#slots[this.#next] ?? []
    this.#next = (this.#next + 1) % this.#slots.length
    return slot
  }
}
