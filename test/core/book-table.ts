import type { Level } from '../../src/core/book/order-book.js'
import { NO_SLOT, OrderBook } from '../../src/core/book/order-book.js'
import type { SelfTradePrevention, Side } from '../../src/core/order.js'
import { MAKERS_MAX, unitCost } from '../../src/core/order.js'
import type { AccountNumber, OrderNumber } from '../../src/core/units.js'
import { amount, lots, ticks } from '../../src/core/units.js'
import type { PlayedStep } from '../fixtures/naive/play-order.js'
import { playOrder } from '../fixtures/naive/play-order.js'

/** The part of a tap test that tables use. */
interface Tester {
  equal(found: unknown, wanted: unknown, message: string): boolean
}

const PAYOUT = ticks(100)
const PAIRS_PLENTY = 1e15
const PLACE = new RegExp(
  '^(?<name>[A-Z]\\d+) (?<side>yes|no) (?<quantity>\\d+) @ (?<price>\\d+|market)' +
    '(?<options>( (covered|hold|pairs|self|makers) \\w+)*)',
)

/**
 * Plays a table against the real book and matching, and compares what each line says with what happened. `A1`
 * is the first order of user A; prices are YES prices of a payout of 100.
 *
 *     place   A1 no 5 @ 55                  options: covered 2, hold 130, pairs 4, self maker, makers 3
 *     place   B1 yes 9 @ market   fills A1 5 @ 55 ends no_liquidity 4
 *     place   B2 yes 3 @ 55       fills A1 3 @ 55 sold 1/2     contracts that taker/maker sold
 *     place   A2 yes 3 @ 55       drops A1          the self-trade rule `maker`
 *     cancel  A1                  gone              when it does not rest
 *     book    no 3 @ 54, 5 @ 55                     all levels of a side, best first; `-` for none
 *     queue   54: A1 3, A2 5                        the orders at a price, the next to fill first
 *     changes yes 0 @ 54, 5 @ 53                    what has changed on a side since the last such line
 */
export function plays(table: string): (t: Tester) => Promise<void> {
  return async t => checkBook(t, table)
}

function checkBook(t: Tester, table: string): void {
  const game = new Game()
  for (const raw of table.split('\n')) {
    const line = raw.trim().replace(/\s+/g, ' ')
    if (line === '') continue
    const [found, wanted] = game.play(line)
    t.equal(found, wanted, line)
    game.book.assertInvariants()
  }
}

class Game {
  readonly book = new OrderBook(PAYOUT)
  readonly #names: string[] = ['']
  #changes: Record<string, string> = {}

  /** The actual result, and the result that the line expects. */
  play(line: string): readonly [found: string, wanted: string] {
    const [verb, ...words] = line.split(' ')
    const rest = words.join(' ')
    if (verb === 'place') return this.#place(rest)
    if (verb === 'cancel') return this.#cancel(words[0] ?? '', words.slice(1).join(' '))
    const subject = words[0] ?? ''
    const wanted = words.slice(1).join(' ')
    if (verb === 'book') return [levelsText(this.book.depth(sideOf(subject))), wanted]
    if (verb === 'queue') return [this.#queue(Number.parseInt(subject, 10)), wanted]
    if (verb === 'changes') return [this.#takeChanges(sideOf(subject)), wanted]
    throw new Error(`a line starts with place, cancel, book, queue or changes: ${line}`)
  }

  #place(rest: string): readonly [string, string] {
    const order = PLACE.exec(rest)
    if (order?.groups === undefined) throw new Error(`an order reads like "A1 no 5 @ 55": ${rest}`)
    const { name = '', quantity, price, options = '' } = order.groups
    const option = new Map(Array.from(options.matchAll(/(\w+) (\w+)/g), ([, key, value]) => [key, value]))
    const side = sideOf(order.groups.side)
    const covered = Number(option.get('covered') ?? 0)
    const isMarket = price === 'market'
    const limit = ticks(isMarket ? 1 : Number(price))
    const worst = isMarket ? PAYOUT : unitCost(side, limit, PAYOUT)
    const number = this.#names.push(name) - 1
    const { steps, stop, taker, rests } = playOrder(
      this.book,
      {
        number: number as OrderNumber,
        owner: ownerOf(name),
        side,
        type: isMarket ? 'MO' : 'LO',
        price: limit,
        selfTrade: (option.get('self') ?? 'taker') as SelfTradePrevention,
        lots: lots(Number(quantity)),
        covered: lots(covered),
        hold: amount(Number(option.get('hold') ?? worst * (Number(quantity) - covered))),
        makersLeft: Number(option.get('makers') ?? MAKERS_MAX),
      },
      lots(Number(option.get('pairs') ?? PAIRS_PLENTY)),
    )
    const said = this.#stepsText(steps)
    if (taker.lots > 0 && !rests) said.push(`ends ${stop ?? 'no_liquidity'} ${taker.lots}`)
    return [said.join(' '), rest.slice(order[0].length).trim()]
  }

  #stepsText(steps: readonly PlayedStep[]): string[] {
    const said: string[] = []
    const drops = steps.filter(step => step.dropped).map(step => this.#names[step.maker])
    const fills = steps
      .filter(step => !step.dropped)
      .map(step => {
        const { maker, price, takerCovered, makerCovered } = step
        const sold = takerCovered + makerCovered > 0 ? ` sold ${takerCovered}/${makerCovered}` : ''
        return `${this.#names[maker]} ${step.lots} @ ${price}${sold}`
      })
    if (drops.length > 0) said.push(`drops ${drops.join(', ')}`)
    if (fills.length > 0) said.push(`fills ${fills.join(', ')}`)
    return said
  }

  #cancel(name: string, wanted: string): readonly [string, string] {
    const slot = this.book.find(this.#names.indexOf(name) as OrderNumber)
    if (slot === NO_SLOT) return ['gone', wanted]
    this.book.remove(slot)
    return ['', wanted]
  }

  #queue(price: number): string {
    const orders = [...this.book.orders()].filter(order => order.price === price)
    return orders.map(order => `${this.#names[order.number]} ${order.lots}`).join(', ') || '-'
  }

  /** Splits the changes by side: the book reports both at once, the table reads one at a time. */
  #takeChanges(side: Side): string {
    if (this.#changes[side] === undefined) {
      const { bids, asks } = this.book.takeChanges()
      this.#changes = { yes: levelsText(bids), no: levelsText(asks) }
    }
    const text = this.#changes[side] ?? ''
    delete this.#changes[side]
    return text
  }
}

function sideOf(word: string | undefined): Side {
  if (word !== 'yes' && word !== 'no') throw new Error(`a side is yes or no: ${word}`)
  return word
}

function ownerOf(name: string): AccountNumber {
  return name.charCodeAt(0) as AccountNumber
}

function levelsText(levels: readonly Level[]): string {
  return levels.map(([price, quantity]) => `${quantity} @ ${price}`).join(', ') || '-'
}
