/** Work under one name is done one after the other, as it came; under others side by side. */
export class InTurn {
  readonly #underWay = new Map<string, Promise<unknown>>()

  async run<T>(name: string, work: () => Promise<T>): Promise<T> {
    for (let other = this.#underWay.get(name); other !== undefined; other = this.#underWay.get(name)) {
      await other
    }
    const done = work()
    this.#underWay.set(name, done)
    try {
      return await done
    } finally {
      this.#underWay.delete(name)
    }
  }
}
