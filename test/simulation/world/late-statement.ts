import type { Database, Statement } from '../../../src/store/database.js'

/**
 * A statement that SQLite compiles when it first runs. A start prepares hundreds that a short life never runs,
 * and a seed starts many times: compiling them took an eighth of its processor time.
 */
export class LateStatement {
  readonly database: Database
  readonly source: string
  readonly #prepare: () => Statement
  #prepared: Statement | undefined
  #isPlucked = false
  #isRaw = false

  constructor(database: Database, source: string, prepare: () => Statement) {
    this.database = database
    this.source = source
    this.#prepare = prepare
  }

  pluck(isPlucked = true): this {
    this.#isPlucked = isPlucked
    return this
  }

  raw(isRaw = true): this {
    this.#isRaw = isRaw
    return this
  }

  columns(): ReturnType<Statement['columns']> {
    return this.prepared().columns()
  }

  prepared(): Statement {
    if (this.#prepared !== undefined) return this.#prepared
    const statement = this.#prepare()
    if (this.#isPlucked) statement.pluck()
    if (this.#isRaw) statement.raw()
    this.#prepared = statement
    return statement
  }
}
