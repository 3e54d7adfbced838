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
  /** The figure or name by which the list is sorted. */
  readonly key: number | string
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

/** Figures that are counted in memory, not rows of the tables. */
const FIGURE_SORTS = ['profit', 'volume', 'last_seen'] as const
export type FigureSort = (typeof FIGURE_SORTS)[number]
type UserSort = 'created' | 'userid' | 'cash' | 'held' | 'available' | FigureSort

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
  profit: "user_figure('profit', number)",
  volume: "user_figure('volume', number)",
  last_seen: "user_figure('last_seen', number)",
}

type Values = Readonly<Record<'q' | 'among' | 'key', string | number | null>> & {
  readonly number: number
  readonly lengthMax: number
}

/** Reads the accounts of users in pages. A search or a sort reads the whole table, in the reader's thread. */
export class UserRows {
  readonly #database: Database
  readonly #statements = new Map<string, Statement<UserRow>>()

  /**
   * @param figureOf returns a figure of a user, as far as it has been counted
   */
  constructor(database: Database, figureOf: (figure: FigureSort, account: AccountNumber) => number) {
    this.#database = database
    database.function('user_figure', (figure, account) =>
      figureOf(figure as FigureSort, account as AccountNumber),
    )
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
      `SELECT number, ${USER_ID} AS userId, cash, held, ${key} AS key FROM accounts
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

/** Returns whether users are sorted by what is counted in memory. */
export function isFigure(sort: UserSort): sort is FigureSort {
  return FIGURE_SORTS.some(figure => figure === sort)
}
