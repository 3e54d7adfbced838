import type { GroupKind } from '../../../src/core/group.js'
import type { ConversionDirection } from '../../../src/core/group-command.js'
import type { TimeMs } from '../../../src/core/units.js'
import { amount, lots, ticks, UNITS_PER_RUPEE } from '../../../src/core/units.js'
import type { ConversionRequest } from '../../../src/exchange/groups/conversions.js'
import type { DeskGroup } from '../../../src/exchange/groups/desk-group.js'
import type { DeskMarket } from '../../../src/exchange/markets/desk-market.js'
import type { Dice } from '../../fixtures/dice.js'
import type { Clients } from '../world/clients.js'
import type { World } from '../world/world.js'
import type { Workload } from './workload.js'

const HOUR = 3_600_000
const RECENT = 6

/** Lets groups live among the markets: creates, converts, eliminates and resolves. */
export class GroupActions {
  readonly #world: World
  readonly #clients: Clients
  readonly #workload: Workload
  readonly #dice: Dice
  readonly #named: ConversionRequest[] = []
  #names = 0
  #titles = 0

  /** @param dice of its own, so that seeds without groups play as before */
  constructor(world: World, clients: Clients, workload: Workload, dice: Dice) {
    this.#world = world
    this.#clients = clients
    this.#workload = workload
    this.#dice = dice
  }

  /** Does one thing, without waiting for its answer. */
  act(): void {
    const chance = this.#dice.between(1, 100)
    if (chance <= 6) this.create()
    else if (chance <= 44) this.#convert()
    else if (chance <= 66) this.#convertAmongOrders()
    else if (chance <= 78) this.#convertAgain()
    else if (chance <= 86) this.#move()
    else if (chance <= 93) this.#eliminate()
    else if (chance <= 97) this.#resolve()
    else this.#resolveAgain()
  }

  create(): void {
    const dice = this.#dice
    const isAgain = this.#titles > 0 && dice.percent(15)
    if (!isAgain) this.#titles++
    const { now } = this.#world
    const hasNone = dice.percent(40)
    const title = `Cup ${this.#titles}`
    const capacity = lots(dice.oneOf([60, 300, 1_000_000]))
    const labels = ['A', 'B', 'C', 'D'].slice(0, dice.between(2, 4))
    const kind: GroupKind = dice.percent(80) ? 'exclusive' : 'independent'
    this.request({ title, labels, kind, hasNone, capacity, endAt: now + dice.oneOf([0.2, 100, 100]) * HOUR })
  }

  request(asked: {
    readonly title: string
    readonly labels: readonly string[]
    readonly kind: GroupKind
    readonly hasNone: boolean
    readonly capacity: ReturnType<typeof lots>
    readonly endAt: number
  }): void {
    const { title, kind, hasNone, capacity, endAt } = asked
    const terms = {
      ...{ payout: ticks(1000), tickSize: ticks(1), minBet: amount(0), maxBet: rupees(100_000), capacity },
      ...{ startAt: this.#world.now as TimeMs, endAt: Math.round(endAt) as TimeMs },
    }
    const labels = hasNone ? [...asked.labels, 'None of these'] : asked.labels
    const markets = labels.map(label => {
      const slug = `${title}-${label}`.toLowerCase().replaceAll(' ', '-')
      return { terms, listing: { title: `${title}: ${label}`, label, slug, description: '', sot: 'seen' } }
    })
    const listing = { title, description: 'Who?', ...(hasNone && { hasNone }) }
    this.#world.note(`create group ${title} ${kind} ${labels} capacity ${capacity}`)
    this.#clients.groups.create({ kind, listing, markets })
  }

  convert(request: ConversionRequest): void {
    const { group, userId, direction, markets, key } = request
    const codes = markets.map(({ terms }) => terms.code)
    const name = key === undefined ? '' : ` as ${key.name}`
    this.#world.note(`${userId} ${direction} ${request.lots} of ${group.terms.code}: ${codes}${name}`)
    this.#clients.users.add(userId)
    this.#clients.groups.convert(request)
  }

  convertNamed(request: ConversionRequest): void {
    this.convert(this.#toBeNamed(request))
  }

  resolve(group: DeskGroup, result: DeskMarket | 'void'): void {
    this.#world.note(`group ${group.terms.code}: ${result === 'void' ? result : result.terms.code} wins`)
    this.#clients.groups.resolve(group, result)
  }

  eliminate(group: DeskGroup, market: DeskMarket): void {
    this.#clients.groups.eliminating(group, market)
    this.#workload.resolveAs(market, 'no')
  }

  /** Gives every exclusive group without a result one. */
  resolveAll(): void {
    for (const group of this.#groups(({ isExclusive, result }) => isExclusive && result === undefined)) {
      const [first, ...others] = group.live
      if (first !== undefined) this.resolve(group, this.#dice.oneOf([first, ...others, 'void']))
    }
  }

  #convert(): void {
    const request = this.#request()
    if (request === undefined) return
    this.convert(request)
    // Two at once: each is decided by what the other leaves.
    if (this.#dice.percent(25)) this.convert(this.#dice.percent(50) ? request : this.#changed(request))
  }

  #convertAmongOrders(): void {
    if (this.#dice.percent(70)) this.#workload.orders.burst()
    this.#convert()
    this.#workload.orders.burst()
  }

  #convertAgain(): void {
    const [first, ...others] = this.#named.slice(-RECENT)
    if (first === undefined) return
    const request = this.#dice.oneOf([first, ...others])
    const group = this.#world.exchange.groups.get(request.group.terms.code)
    if (group === undefined) return
    // A start has other objects for the same group.
    const codes = request.markets.map(({ terms }) => terms.code)
    const markets = group.markets.filter(({ terms }) => codes.includes(terms.code))
    const again = { ...request, group, markets }
    this.convert(this.#dice.percent(65) ? again : this.#changed(again))
  }

  #request(): ConversionRequest | undefined {
    const dice = this.#dice
    const isOpen = (group: DeskGroup) => group.live.some(({ pendingStatus }) => pendingStatus === 'open')
    const open = this.#group(group => group.isExclusive && isOpen(group))
    const group =
      dice.percent(85) && open !== undefined ? open : this.#group(({ isExclusive }) => isExclusive)
    if (group === undefined) return undefined
    const among = dice.percent(90) ? group.live : group.markets
    const userId = dice.oneOf(this.#workload.users)
    const direction = dice.oneOf<ConversionDirection>(['release', 'build'])
    // Often what the user can convert, so that it is possible.
    const markets = dice.percent(75)
      ? this.#possible(userId, group, direction)
      : among.filter(() => dice.percent(40))
    const request = { group, userId, direction, lots: lots(dice.oneOf([1, 5, 20, 50])), markets }
    return dice.percent(35) ? this.#toBeNamed(request) : request
  }

  /** Gives a request a name under which it can be repeated. */
  #toBeNamed(request: ConversionRequest): ConversionRequest {
    this.#names++
    const named = nameAs(request, `conversion ${this.#names}`)
    this.#named.push(named)
    return named
  }

  /** Chooses the outcomes whose NO a user has and can release, or can build from the YES of all others. */
  #possible(userId: string, { live }: DeskGroup, direction: ConversionDirection): readonly DeskMarket[] {
    const positions = this.#world.exchange.userChannel.positions(userId)
    const held = (side: 'yes' | 'no') =>
      live.filter(({ terms }) =>
        positions.some(({ market, contracts }) => market === terms.code && contracts[side] > 0),
      )
    if (direction === 'release') return held('no')
    const [first, ...others] = live
    if (first === undefined || this.#dice.percent(50)) return []
    const yes = held('yes')
    const lacking = live.filter(market => !yes.includes(market))
    return lacking.length > 0 && yes.length > 0 ? lacking : [this.#dice.oneOf([first, ...others])]
  }

  #changed(request: ConversionRequest): ConversionRequest {
    const changed = { ...request, lots: lots(request.lots + 1) }
    return request.key === undefined ? changed : nameAs(changed, request.key.name)
  }

  #move(): void {
    const group = this.#group(() => true)
    if (group === undefined) return
    const move = this.#dice.oneOf(['halt', 'resume', 'resume', 'resume'] as const)
    this.#world.note(`${move} group ${group.terms.code}`)
    this.#clients.groups.move(group, move)
  }

  /** Closes an outcome, or eliminates one that is closed. */
  #eliminate(): void {
    const group = this.#group(({ isExclusive, live }) => isExclusive && live.length > 0)
    if (group === undefined) return
    const closed = group.live.find(({ pendingStatus }) => pendingStatus === 'closed')
    const [first, ...others] = group.live
    if (closed !== undefined) this.eliminate(group, closed)
    else if (first !== undefined) this.#workload.close(this.#dice.oneOf([first, ...others]))
  }

  /** Gives a group a result, mostly once it is closed. */
  #resolve(): void {
    const group = this.#group(({ live }) => live.length > 0)
    const [first, ...others] = group?.live ?? []
    if (group === undefined || first === undefined) return
    if (this.#dice.percent(50)) this.#clients.groups.move(group, 'close')
    if (this.#dice.percent(50)) this.#workload.orders.burst()
    if (!group.isExclusive) {
      this.#workload.resolveAs(first, this.#dice.oneOf(['yes', 'no', 'void']))
      return
    }
    this.resolve(group, this.#dice.oneOf([first, ...others, 'void', 'void']))
  }

  #resolveAgain(): void {
    const group = this.#group(({ isExclusive, result }) => isExclusive && result !== undefined)
    if (group?.result === undefined) return
    this.resolve(group, this.#dice.percent(70) ? group.result : 'void')
  }

  #group(isOne: (group: DeskGroup) => boolean): DeskGroup | undefined {
    const [first, ...others] = this.#groups(isOne)
    return first === undefined ? undefined : this.#dice.oneOf([first, ...others])
  }

  #groups(isOne: (group: DeskGroup) => boolean): DeskGroup[] {
    return this.#world.exchange.groups.all().filter(isOne)
  }
}

function nameAs(request: ConversionRequest, name: string): ConversionRequest {
  const { direction, lots: quantity, markets } = request
  const fingerprint = `${direction} ${quantity} ${markets.map(({ terms }) => terms.code)}`
  return { ...request, key: { name, fingerprint } }
}

const rupees = (value: number) => amount(value * UNITS_PER_RUPEE)
