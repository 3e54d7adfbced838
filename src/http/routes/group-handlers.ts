import { DONE } from '../../api/answer-texts.js'
import { ApiError } from '../../api/api-error.js'
import type { ConversionAnswer } from '../../api/groups/group-answer.js'
import { groupRoutes } from '../../api/groups/group-routes.js'
import {
  conversionQuery,
  conversionSchema,
  groupSchema,
  lotsOf,
  outcomeField,
  toNewGroup,
} from '../../api/groups/group-schema.js'
import { groupView, positionView } from '../../api/groups/group-view.js'
import { LIMITS } from '../../api/limits.js'
import { publicGroupQuotes } from '../../api/operator/liquidity-view.js'
import { NOT_CONVERTED, REFUSED } from '../../api/refusal-texts.js'
import { userIdIn } from '../../api/user-id.js'
import { validate } from '../../api/validation.js'
import type { ShownHolding } from '../../api/groups/shown-group.js'
import { amount, amountToRupees } from '../../core/units.js'
import { busy } from '../../doors/capacity-refusal.js'
import { exclusiveGroupOf, groupOf } from '../../doors/group-of.js'
import { checkUser, withOwnUser } from '../../doors/own-user.js'
import type { Exchange } from '../../exchange/exchange.js'
import type { EventImages } from '../../site/event-images.js'
import type { ConversionRequest } from '../../exchange/groups/conversions.js'
import type { DeskGroup } from '../../exchange/groups/desk-group.js'
import type { DeskMarket } from '../../exchange/markets/desk-market.js'
import { fingerprintOf } from '../../exchange/orders/request-fingerprint.js'
import { readJson } from '../middleware/body.js'
import { success } from '../middleware/envelope.js'
import { answerPage } from '../middleware/list-page.js'
import { pageOf } from '../middleware/query.js'
import type { Binding, Call } from '../routing/handle.js'
import { handle } from '../routing/handle.js'
import { byOf } from '../routing/needs.js'
import { withIdempotencyKey } from './idempotency-key.js'

/** Creates and shows groups of events, and converts contracts in them. */
export function groupHandlers(exchange: Exchange, images: Pick<EventImages, 'putEmoji'>): Binding[] {
  return [
    handle(groupRoutes.createGroup, call => createGroup(exchange, images, call)),
    handle(groupRoutes.listGroups, call => {
      const { limit, after = 0 } = pageOf(call, codeOf)
      return answerPage(call, {
        message: DONE.groupsFetched,
        field: 'groups',
        rows: exchange.groups.after(after),
        limit,
        bytesMax: LIMITS.groupsPageBytesMax,
        view: group => groupView(group, exchange.now()),
        cursorOf: ({ terms }) => String(terms.code),
      })
    }),
    handle(groupRoutes.getGroup, call => {
      const group = groupOf(exchange, call.params.code)
      const house_quotes = publicGroupQuotes(
        group.markets.map(market => [market, exchange.house.shown(market)] as const),
      )
      const view = {
        ...groupView(group, exchange.now()),
        ...(house_quotes !== undefined && { house_quotes }),
      }
      return success(call, 200, DONE.groupFetched, view)
    }),
    handle(groupRoutes.getGroupPosition, call => {
      const userId = userIdIn(call.params)
      checkUser(call.caller, userId, 'read')
      const group = exclusiveGroupOf(exchange, call.params.code)
      return success(call, 200, DONE.groupPositionFetched, positionOf(exchange, group, userId))
    }),
    handle(groupRoutes.convertContracts, call => convert(exchange, call, call.params.code)),
  ]
}

async function createGroup(
  exchange: Exchange,
  images: Pick<EventImages, 'putEmoji'>,
  call: Call,
): Promise<Response> {
  const body = validate(groupSchema, await readJson(call))
  const asked = toNewGroup(body)
  call.charge?.countAs(asked.markets.length)
  const { outcomes, none_of_these, ...fields } = body
  const by = byOf(call, { ...fields, none_of_these: String(none_of_these), outcomes: outcomes.length })
  const group = await exchange.groups.create({ ...asked, by })
  if (group === 'categories_full') throw new ApiError(422, REFUSED.categoriesFull)
  if (typeof group === 'string') throw busy(group)
  if ('refusal' in group) {
    throw new ApiError(409, `${outcomeField(body, group.index)}: ${REFUSED.eventExists}`, 'event_exists')
  }
  for (const [index, { icon }] of outcomes.entries()) {
    const market = group.markets[index]
    if (icon === undefined || market === undefined) continue
    // The group stands without it, too: there may be no room on the disk.
    const put = images.putEmoji(market.terms.code, icon)
    if (typeof put !== 'string') market.image = put.image
  }
  return success(call, 201, DONE.groupCreated, String(group.terms.code))
}

/** Converts contracts, or says what that would do; 200 means that the conversion is on disk. */
async function convert(exchange: Exchange, call: Call, code: string): Promise<Response> {
  const { preview } = validate(conversionQuery, call.c.req.query())
  const input = withIdempotencyKey(call, withOwnUser(call.caller, await readJson(call)))
  const body = validate(conversionSchema, input)
  const { userid: userId, direction, client_order_id: name } = body
  checkUser(call.caller, userId, 'trade')
  const group = exclusiveGroupOf(exchange, code)
  const markets = outcomesIn(group, body.outcomes)
  const codes = markets.map(({ terms }) => terms.code).sort((a, b) => a - b)
  const fingerprint = fingerprintOf(JSON.stringify([code, direction, body.quantity, codes]))
  const request: ConversionRequest = {
    ...{ group, userId, direction, lots: lotsOf(body), markets },
    ...(name !== undefined && { key: { name, fingerprint } }),
  }
  // A user without an account has neither money nor contracts.
  positionOf(exchange, group, userId)
  if (preview !== undefined) {
    const { cash, refusal = null, holding } = exchange.groups.previewConversion(request)
    const shown = converted(request, holding, cash, refusal)
    return success(call, 200, DONE.conversionPreviewed, shown)
  }
  const made = await exchange.groups.convert(request)
  if (made === 'key_used') throw new ApiError(409, REFUSED.conversionKeyUsed, 'key_used')
  if (typeof made === 'string') throw busy(made)
  if ('refusal' in made) throw new ApiError(409, NOT_CONVERTED[made.refusal], made.refusal)
  return success(
    call,
    200,
    DONE.contractsConverted,
    converted(request, exchange.groups.holding(group, userId), made.cash, null),
  )
}

function converted(
  { group, userId }: ConversionRequest,
  holding: ShownHolding | undefined,
  cash: number,
  reason: ConversionAnswer['reason'],
): ConversionAnswer {
  return { amount: amountToRupees(amount(cash)), reason, position: shownPosition(group, userId, holding) }
}

/** Returns a user's position in an exclusive group. Throws 404 for a user without an account. */
function positionOf(exchange: Exchange, group: DeskGroup, userId: string): ConversionAnswer['position'] {
  return shownPosition(group, userId, exchange.groups.holding(group, userId))
}

function shownPosition(
  group: DeskGroup,
  userId: string,
  holding: ShownHolding | undefined,
): ConversionAnswer['position'] {
  if (holding === undefined) throw new ApiError(404, REFUSED.userNotFound, 'user_not_found')
  return positionView(group, userId, holding)
}

/** Returns the outcomes with these codes. Throws 422 unless each is another outcome of the group. */
export function outcomesIn(group: DeskGroup, codes: readonly string[]): DeskMarket[] {
  const markets = codes.map(code => group.written(code)).filter(market => market !== undefined)
  if (markets.length < codes.length || new Set(markets).size < codes.length) {
    throw new ApiError(422, `outcomes: ${REFUSED.outcomeUnknown}`)
  }
  return markets
}

function codeOf(cursor: string): number | undefined {
  return /^\d{7}$/.test(cursor) ? Number(cursor) : undefined
}
