import { assert } from '../../../src/core/assert.js'
import type { MarketCode } from '../../../src/core/units.js'
import type { ConversionAnswer, ConversionRequest } from '../../../src/exchange/groups/conversions.js'
import type { DeskGroup, GroupResult } from '../../../src/exchange/groups/desk-group.js'
import type { ResultRefusal } from '../../../src/exchange/groups/group-results.js'
import type { World } from '../world/world.js'

interface ConversionRow {
  readonly group: MarketCode
  readonly number: number
  readonly userId: string
  readonly direction: string
  readonly lots: number
  readonly cash: number
  readonly markets: string
  readonly name: string | null
  readonly fingerprint: string | null
}

/** The conversions that a user asked for under a name. */
interface Named {
  readonly fingerprints: Set<string>
  unanswered: number
  done: { readonly number: number; readonly cash: number; readonly fingerprint: string } | undefined
}

interface KnownGroup {
  /** The winner's code, or `void`, once that was answered. */
  result: MarketCode | 'void' | undefined
  readonly asked: Set<MarketCode | 'void'>
}

const CONVERSIONS = `SELECT group_code AS "group", c.number, substr(owner, 6) AS userId, direction, lots, c.cash,
  markets, client_key AS name, fingerprint FROM conversions c JOIN accounts a ON a.number = account`

/** Checks answers about groups: a conversion pays what it must, once per name, and a group has one result. */
export class GroupJudge {
  readonly #world: World
  /** By group and number, every conversion that was answered. */
  readonly #made = new Map<string, string>()
  readonly #named = new Map<string, Named>()
  readonly #groups = new Map<MarketCode, KnownGroup>()

  constructor(world: World) {
    this.#world = world
  }

  askedToConvert({ userId, key }: ConversionRequest): void {
    if (key === undefined) return
    const named = this.#nameOf(userId, key.name)
    named.fingerprints.add(key.fingerprint)
    named.unanswered++
  }

  converted(request: ConversionRequest, answer: ConversionAnswer): void {
    const { branches } = this.#world
    const { group, userId, key, direction, markets } = request
    const named = key && this.#nameOf(userId, key.name)
    if (named !== undefined) named.unanswered--
    if (answer === 'key_used') {
      const others = [...(named?.fingerprints ?? [])].filter(other => other !== key?.fingerprint)
      assert(others.length > 0, 'a name is refused where another conversion has used it')
      branches.count('answer: one name, another conversion')
      return
    }
    if (typeof answer === 'string') {
      branches.count('answer: conversion busy', answer === 'queue_full')
      return
    }
    if ('refusal' in answer) {
      assert(named?.done === undefined, 'a conversion that was made is not refused under its name')
      branches.count(`answer: conversion ${answer.refusal}`)
      return
    }
    const { number, cash } = answer
    assert(cash === cashOf(request), 'a conversion pays the payout of what it completes')
    const text = rowText({ ...request, group: group.terms.code, number, cash })
    const place = `${group.terms.code} ${number}`
    const before = this.#made.get(place)
    if (before === undefined) branches.count(`answer: conversion ${direction}`)
    else assert(key !== undefined && before === text, 'only a name is answered with a conversion made before')
    branches.count('answer: one name, the same conversion', before !== undefined)
    branches.count('answer: conversion of a complete set', markets.length === 0)
    this.#made.set(place, text)
    if (named === undefined || key === undefined) return
    const { done } = named
    const isSame = done === undefined || (done.number === number && done.fingerprint === key.fingerprint)
    assert(isSame, 'a name is of one conversion')
    named.done = { number, cash, fingerprint: key.fingerprint }
  }

  askedToResolve(group: DeskGroup, result: GroupResult): void {
    this.#known(group).asked.add(codeOf(result))
  }

  resolved(group: DeskGroup, result: GroupResult, refusal: ResultRefusal | undefined): void {
    const { branches } = this.#world
    const known = this.#known(group)
    branches.count('answer: group result refused', refusal !== undefined)
    if (refusal !== undefined) return
    const wanted = codeOf(result)
    branches.count('answer: group resolved once more', known.result === wanted)
    assert(known.result === undefined || known.result === wanted, 'a group has one result')
    assert(committedResult(group) === wanted, 'a result is answered only once it is on disk')
    known.result = wanted
    branches.count('answer: group won', result !== 'void')
    branches.count('answer: group void', result === 'void')
    const hadElimination = group.markets.some(({ progress }) => progress.outcome === 'no')
    branches.count('answer: group void after an elimination', result === 'void' && hadElimination)
  }

  /** Checks after a start that results and conversions that were answered are kept, and all were asked for. */
  assertKept(): void {
    const { branches, exchange } = this.#world
    for (const [code, { result, asked }] of this.#groups) {
      const group = exchange.groups.get(code)
      assert(group !== undefined, `a group stays: ${code}`)
      const kept = committedResult(group)
      assert(result === undefined || result === kept, `an answered result is kept: ${code}`)
      branches.count(
        'crash: unanswered group result was kept',
        result === undefined && asked.has(kept ?? code),
      )
    }
    const rows = new Map<string, ConversionRow>()
    const names = new Set<string>()
    for (const row of this.#world.rows<ConversionRow>(CONVERSIONS)) {
      rows.set(`${row.group} ${row.number}`, row)
      if (row.name === null) continue
      const name = nameText(row.userId, row.name)
      assert(!names.has(name), `a name is of one conversion: ${name}`)
      names.add(name)
      const isAsked = this.#named.get(name)?.fingerprints.has(row.fingerprint ?? '')
      assert(isAsked === true, `a conversion on disk was asked for: ${name}`)
    }
    for (const [place, text] of this.#made) {
      const row = rows.get(place)
      const kept = row && rowText({ ...row, lots: row.lots, markets: JSON.parse(row.markets) })
      assert(kept === text, `an answered conversion is on disk: ${text}, not ${kept}`)
    }
    for (const [name, { unanswered, done }] of this.#named) {
      if (done !== undefined || unanswered === 0) continue
      const isMade = names.has(name)
      branches.count(`crash: unanswered conversion was ${isMade ? 'made' : 'not made'}`)
    }
  }

  /** The answers on their way are lost. */
  #nameOf(userId: string, name: string): Named {
    const text = nameText(userId, name)
    const named = this.#named.get(text) ?? { fingerprints: new Set(), unanswered: 0, done: undefined }
    this.#named.set(text, named)
    return named
  }

  #known({ terms: { code } }: DeskGroup): KnownGroup {
    const known = this.#groups.get(code) ?? { result: undefined, asked: new Set() }
    this.#groups.set(code, known)
    return known
  }
}

/** Returns the change of cash: exactly one outcome comes true, so that k NO contracts pay k − 1 payouts. */
function cashOf({ group, direction, lots, markets }: ConversionRequest): number {
  const payouts = markets.length === 0 ? 1 : markets.length - 1
  return (direction === 'release' ? 1 : -1) * payouts * group.terms.payout * lots
}

/** Returns the result of a group as its outcomes say it on disk. */
function committedResult({ markets }: DeskGroup): MarketCode | 'void' | undefined {
  if (markets.some(({ progress }) => progress.outcome === 'void')) return 'void'
  const winners = markets.filter(({ progress }) => progress.outcome === 'yes')
  assert(winners.length <= 1, 'one outcome of a group wins at most')
  return winners[0]?.terms.code
}

interface Conversion {
  readonly group: MarketCode
  readonly number: number
  readonly userId: string
  readonly direction: string
  readonly lots: number
  readonly cash: number
  readonly markets: readonly (MarketCode | { readonly terms: { readonly code: MarketCode } })[]
}

function rowText({ group, number, userId, direction, lots, cash, markets }: Conversion): string {
  const codes = markets.map(market => (typeof market === 'number' ? market : market.terms.code))
  return `${group} ${number} ${userId} ${direction} ${lots} of ${codes.sort((a, b) => a - b)}: ${cash}`
}

const codeOf = (result: GroupResult) => (result === 'void' ? result : result.terms.code)
const nameText = (userId: string, name: string) => JSON.stringify([userId, name])
