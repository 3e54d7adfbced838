import { z } from 'zod'
import type { EditedListing, MarketEdit } from '../../core/market-edit.js'
import { slugOf } from '../../core/slug.js'
import type { TimeMs } from '../../core/units.js'
import { amount, LOTS_PER_CONTRACT, lots, UNITS_PER_RUPEE, wholeParts } from '../../core/units.js'
import { eventSchema } from './event-schema.js'

const { title, description, start_date, end_date, min_bet, max_bet, sot, quantity, category, source_url } =
  eventSchema.shape
const { fee_taker_bp, fee_maker_bp } = eventSchema.shape

/** The body of `PATCH /events/:code`: the fields to change, each as on creation. */
export const editSchema = z.strictObject({
  title: title.optional(),
  description: description.optional(),
  start_date: start_date.optional(),
  end_date: end_date.optional(),
  min_bet: min_bet.optional(),
  max_bet: max_bet.optional(),
  sot: sot.optional(),
  quantity: quantity.optional(),
  category,
  source_url,
  fee_taker_bp,
  fee_maker_bp,
})

type Body = z.output<typeof editSchema>

/** Converts an edit to the exchange's own terms and units; the slug follows the title. */
export function toMarketEdit(body: Body): MarketEdit {
  const listing: EditedListing = {
    ...(body.title !== undefined && { title: body.title, slug: slugOf(body.title) }),
    ...(body.description !== undefined && { description: body.description }),
    ...(body.sot !== undefined && { sot: body.sot }),
    ...(body.category !== undefined && { category: body.category }),
    ...(body.source_url !== undefined && { sourceUrl: body.source_url }),
  }
  return { listing, terms: termsOf(body) }
}

function termsOf({ start_date, end_date, min_bet, max_bet, quantity, ...fees }: Body): MarketEdit['terms'] {
  return {
    ...(start_date !== undefined && { startAt: Date.parse(start_date) as TimeMs }),
    ...(end_date !== undefined && { endAt: Date.parse(end_date) as TimeMs }),
    ...(min_bet !== undefined && { minBet: unitsOf(min_bet) }),
    ...(max_bet !== undefined && { maxBet: unitsOf(max_bet) }),
    ...(quantity !== undefined && { capacity: lots(wholeParts(quantity, LOTS_PER_CONTRACT) ?? 0) }),
    ...(fees.fee_taker_bp !== undefined && { feeTaker: fees.fee_taker_bp }),
    ...(fees.fee_maker_bp !== undefined && { feeMaker: fees.fee_maker_bp }),
  }
}

const unitsOf = (rupees: number) => amount(wholeParts(rupees, UNITS_PER_RUPEE) ?? 0)
