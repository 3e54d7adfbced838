import { DONE } from '../../api/answer-texts.js'
import { ApiError } from '../../api/api-error.js'
import type { GroupPreviewAnswer, PreviewAnswer } from '../../api/operator/admin-answer.js'
import { groupRoutes } from '../../api/groups/group-routes.js'
import { groupPreviewQuery } from '../../api/groups/group-schema.js'
import { previewQuery } from '../../api/operator/resolution-schema.js'
import { REFUSED } from '../../api/refusal-texts.js'
import { validate } from '../../api/validation.js'
import type { AccountNumber } from '../../core/units.js'
import { amount, amountToRupees, toContracts } from '../../core/units.js'
import type { Exchange } from '../../exchange/exchange.js'
import type { GroupPreviewRow, GroupPreviewTotals } from '../../store/audit/group-settlement-preview.js'
import type { PreviewRow, PreviewTotals } from '../../store/audit/settlement-preview.js'
import { unlessBusy } from '../../doors/capacity-refusal.js'
import { answerPage } from '../middleware/list-page.js'
import { pageOf } from '../middleware/query.js'
import { exclusiveGroupOf } from '../../doors/group-of.js'
import { marketOf } from '../../doors/market-of.js'
import { resolveMessage } from './market-admin-handlers.js'
import { handle } from '../routing/handle.js'
import type { Binding, Call } from '../routing/handle.js'
import { adminRoutes } from '../../api/operator/admin-routes.js'

/** Previews settlements for operators before they set an outcome, behind the guard. */
export function settlementHandlers(exchange: Exchange): Binding[] {
  return [
    handle(adminRoutes.previewSettlement, call => preview(exchange, call, call.params.code)),
    handle(groupRoutes.previewGroupSettlement, call => previewGroup(exchange, call, call.params.code)),
  ]
}

async function preview(exchange: Exchange, call: Call, code: string): Promise<Response> {
  const market = marketOf(exchange, code)
  const { outcome } = validate(previewQuery, call.c.req.query())
  // Its money is the group's, and a winner settles all outcomes.
  if (exchange.groups.of(market)?.isExclusive === true) throw new ApiError(409, REFUSED.groupPreview)
  const { limit, after } = pageOf(call, accountOf)
  const found = unlessBusy(await exchange.archive.settlementPreview(market, outcome, after, limit + 1))
  if ('status' in found) throw new ApiError(409, resolveMessage('Event', found))
  const { rows, totals } = found
  return answerPage(call, {
    message: DONE.settlementPreviewed,
    about: { event_id: code, outcome, totals: totals === undefined ? null : totalsView(totals) },
    field: 'settlements',
    rows,
    limit,
    view: rowView,
    cursorOf: ({ account }) => String(account),
  })
}

async function previewGroup(exchange: Exchange, call: Call, code: string): Promise<Response> {
  const { winner } = validate(groupPreviewQuery, call.c.req.query())
  const { limit, after } = pageOf(call, accountOf)
  const group = exclusiveGroupOf(exchange, code)
  const result = winner === 'void' ? winner : group.written(winner)
  if (result === undefined) throw new ApiError(422, REFUSED.winnerUnknown)
  const found = unlessBusy(await exchange.archive.groupSettlementPreview(group, result, after, limit + 1))
  if ('status' in found) throw new ApiError(409, resolveMessage(`Event ${found.market.terms.code}`, found))
  const { rows, totals } = found
  return answerPage(call, {
    message: DONE.settlementPreviewed,
    about: { code, winner, totals: totals === undefined ? null : sumsView(totals) },
    field: 'settlements',
    rows,
    limit,
    view: paymentView,
    cursorOf: ({ account }) => String(account),
  })
}

function totalsView({ yes, no, ...sums }: PreviewTotals): PreviewAnswer['totals'] {
  return { ...sumsView(sums), yes: toContracts(yes), no: toContracts(no) }
}

/** Returns the totals; `sum` is the remainder after all payments: 0 unless something is wrong. */
function sumsView({
  users,
  escrow,
  payout,
  collected,
  shortfall,
  fees,
}: GroupPreviewTotals): NonNullable<GroupPreviewAnswer['totals']> {
  return {
    users,
    escrow: rupees(escrow),
    payout: rupees(payout),
    collected: rupees(collected),
    shortfall: rupees(shortfall),
    fees: rupees(fees),
    sum: rupees(escrow + collected + shortfall - payout - fees),
  }
}

function rowView({ yes, no, ...row }: PreviewRow): PreviewAnswer['settlements'][number] {
  return { ...paymentView(row), yes: toContracts(yes), no: toContracts(no) }
}

function paymentView({ userId, paid, payment }: GroupPreviewRow): GroupPreviewAnswer['settlements'][number] {
  return {
    userid: userId,
    paid: rupees(paid),
    payment: rupees(payment),
    result: rupees(payment - paid),
  }
}

const rupees = (units: number) => amountToRupees(amount(units))

function accountOf(cursor: string): AccountNumber | undefined {
  return /^\d{1,15}$/.test(cursor) ? (Number(cursor) as AccountNumber) : undefined
}
