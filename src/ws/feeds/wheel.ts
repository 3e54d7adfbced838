/** A wheel that turns one slot at a time, so that each member has its own moment in every round. */
export class Wheel<Member> {
  readonly #slots: readonly Set<Member>[]
  readonly #slotOf = new Map<Member, Set<Member>>()
  #next = 0

  constructor(slotCount: number) {
    this.#slots = Array.from({ length: slotCount }, () => new Set<Member>())
  }

  /**
   * Puts a member into the emptiest slot, so that none ever holds more than its share of the most members
   * there can be; among equals into the one whose moment is furthest away.
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

  /** Turns on by one slot, and returns its members. */
  turn(): Iterable<Member> {
    const slot = this.#slots[this.#next] ?? []
    this.#next = (this.#next + 1) % this.#slots.length
    return slot
  }
}
