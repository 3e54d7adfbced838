import type { AccountNumber, Amount } from '../../core/units.js'
import type { Database, Statement } from '../database.js'
import { folded } from '../folded.js'
import { userOwner } from '../rows/account-rows.js'

/** A user's account in a list of users. */
export interface UserRow {
  readonly number: AccountNumber
  readonly userId: string
  readonly cash: Amount
  readonly held: Amount
}

/** Selects and sorts users. */
export interface UserFilter {
  /** A part of the user id, in any case. */
  readonly q?: string | undefined
  readonly sort: UserSort
  readonly isDescending: boolean
  /** The users to choose from; all if undefined. */
  readonly among?: readonly string[] | undefined
}

type UserSort = 'created' | 'userid' | 'cash' | 'held' | 'available'

/** The place of a user in a sorted list. */
export interface UserPlace {
  readonly key: number | string
  readonly number: number
}

const PREFIX = userOwner('')
const USER_ID = `substr(owner, ${PREFIX.length + 1})`
/** ASCII, of which each character is a byte, needs no call from SQLite for each user: a search takes half. */
const FOLDED_ID = `iif(length(owner) = octet_length(owner), lower(${USER_ID}), folded(${USER_ID}))`
const KEYS: Readonly<Record<UserSort, string>> = {
  created: 'number',
  userid: USER_ID,
  cash: 'cash',
  held: 'held',
  available: '(cash - held)',
}

type Values = Readonly<Record<'q' | 'among' | 'key', string | number | null>> & {
  readonly number: number
  readonly lengthMax: number
}

/** Reads the accounts of users in pages. A search or a sort reads the whole table, in the reader's thread. */
export class UserRows {
  readonly #database: Database
  readonly #statements = new Map<string, Statement<UserRow>>()

  constructor(database: Database) {
    this.#database = database
  }

  /** Returns a page after a place. */
  page(filter: UserFilter, after: UserPlace | undefined, lengthMax: number): UserRow[] {
    const { q, sort, isDescending, among } = filter
    const values: Values = {
      q: q === undefined ? null : folded(q),
      among: among === undefined ? null : JSON.stringify(among.map(userOwner)),
      key: after?.key ?? null,
      number: after?.number ?? 0,
      lengthMax,
    }
    return this.#statement(sort, isDescending, after !== undefined).all(values)
  }

  #statement(sort: UserSort, isDescending: boolean, isNext: boolean): Statement<UserRow> {
    const name = `${sort} ${isDescending} ${isNext}`
    const known = this.#statements.get(name)
    if (known !== undefined) return known
    const [key, order, beyond] = [KEYS[sort], isDescending ? 'DESC' : 'ASC', isDescending ? '<' : '>']
    // By age the primary key alone decides, so that a page reads no other rows.
    const [place, given] =
      sort === 'created' ? ['number', '@number'] : [`(${key}, number)`, '(@key, @number)']
    const made = this.#database.prepare<unknown[], UserRow>(
      `SELECT number, ${USER_ID} AS userId, cash, held FROM accounts
       WHERE owner GLOB '${PREFIX}*'
         AND (@q IS NULL OR instr(${FOLDED_ID}, @q) > 0)
         AND (@among IS NULL OR owner IN (SELECT value FROM json_each(@among)))
         ${isNext ? `AND ${place} ${beyond} ${given}` : ''}
       ORDER BY ${sort === 'created' ? '' : `${key} ${order}, `}number ${order} LIMIT @lengthMax`,
    )
    this.#statements.set(name, made)
    return made
  }
}

/** Returns the place of a user in a list. */
export function placeOfUser({ number, userId, cash, held }: UserRow, sort: UserSort): UserPlace {
  const keys = { created: number, userid: userId, cash, held, available: cash - held }
  return { key: keys[sort], number }
}
