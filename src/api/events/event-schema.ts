import { z } from 'zod'
import { FEE_RATE_MAX } from '../../core/fees.js'
import type { NewMarket } from '../../core/market.js'
import { capacityMax } from '../../core/market.js'
import { hiddenCharacter, plainCategory, plainName } from '../../core/plain-name.js'
import { slugOf } from '../../core/slug.js'
import type { TimeMs } from '../../core/units.js'
import {
  amount,
  LOTS_PER_CONTRACT,
  lots,
  nearestStep,
  TICKS_PER_RUPEE,
  ticks,
  toContracts,
  UNITS_PER_RUPEE,
  wholeParts,
} from '../../core/units.js'
import { LIMITS } from '../limits.js'
import { REFUSED } from '../refusal-texts.js'
import { dateTime, storedText } from '../validation.js'
import { isWebAddress } from '../web-address.js'

const PAYOUT_DEFAULT = 10
/** Largest quantity that fits the arithmetic at every payout. */
const QUANTITY_MAX = toContracts(capacityMax(ticks(LIMITS.payoutMax * TICKS_PER_RUPEE)))
const TICK_SIZES = [0.01, 0.05, 0.1, 0.5] as const

const text = (lengthMax: number) => storedText.max(lengthMax, `Expected at most ${lengthMax} characters`)

const rupees = z
  .number()
  .min(0, 'Expected 0 or more')
  .refine(value => toUnits(value) !== undefined, 'Expected rupees with at most 4 decimals, below 900 billion')

/** An empty text or null stands for no category. */
const category = storedText
  .nullable()
  .transform(value => plainCategory(value ?? ''))
  .refine(
    value => value.length <= LIMITS.categoryLengthMax,
    `Expected at most ${LIMITS.categoryLengthMax} characters`,
  )
  .superRefine((value, { addIssue }) => {
    const hidden = hiddenCharacter(value)
    if (hidden !== undefined) addIssue(`Expected no ${hidden}, which cannot be seen`)
  })
  .optional()
  .meta({ description: 'For the list’s filter, such as Cricket; the spelling used first stays. Empty: none' })

/** An empty text or null stands for no link. */
const sourceUrl = text(LIMITS.eventSourceLengthMax)
  .nullable()
  .transform(value => value ?? '')
  .refine(url => url === '' || isWebAddress(url), 'Expected an http or https address')
  .optional()
  .meta({ description: 'Link to where the result will be published. Empty: none' })

const feeRate = (who: string) =>
  z
    .number()
    .int('Expected a whole number')
    .min(0, `Expected 0 to ${FEE_RATE_MAX}`)
    .max(FEE_RATE_MAX, `Expected 0 to ${FEE_RATE_MAX}`)
    .nullable()
    .optional()
    .meta({
      description: `Fee rate of ${who} in basis points; null: that of the category or the exchange`,
    })

/** The body of `POST /events/create` (specification 4.1), in its order, and Raay's optional fields. */
export const eventSchema = z
  .object({
    title: storedText
      .transform(plainName)
      .refine(
        title => title.length <= LIMITS.titleLengthMax,
        `Expected at most ${LIMITS.titleLengthMax} characters`,
      )
      .superRefine((title, { addIssue }) => {
        const hidden = hiddenCharacter(title)
        if (hidden !== undefined) addIssue(`Expected no ${hidden}, which cannot be seen`)
      })
      .refine(title => slugOf(title) !== '', 'Expected at least one letter or digit')
      .meta({
        minLength: 1,
        maxLength: LIMITS.titleLengthMax,
        description: 'Must be unique: no other event may have the same slug',
      }),
    description: text(LIMITS.descriptionLengthMax).meta({
      description: 'The event and its trading conditions',
    }),
    start_date: dateTime.meta({ description: 'When trading begins' }),
    end_date: dateTime.meta({ description: 'When trading ends; after start_date' }),
    min_bet: rupees.meta({ description: 'Minimum order value in INR, at most 4 decimals' }),
    max_bet: rupees.meta({ description: 'Maximum order value in INR; min_bet or more' }),
    sot: text(LIMITS.sotLengthMax).meta({ description: 'Source of truth: who decides the result' }),
    quantity: z
      .number()
      .gt(0, 'Expected more than 0')
      .max(QUANTITY_MAX, `Expected at most ${QUANTITY_MAX}`)
      .overwrite(nearestStep)
      .refine(value => wholeParts(value, LOTS_PER_CONTRACT) !== undefined, 'Expected a multiple of 0.01')
      .meta({ description: 'Open-interest cap: the most YES/NO pairs that may exist, a multiple of 0.01' }),
    payout: z
      .number()
      .int('Expected whole rupees')
      .min(1, `Expected 1 to ${LIMITS.payoutMax}`)
      .max(LIMITS.payoutMax, `Expected 1 to ${LIMITS.payoutMax}`)
      .default(PAYOUT_DEFAULT)
      .meta({ description: 'Payout of a winning contract, in whole rupees' }),
    tick_size: z.literal(TICK_SIZES).default(0.01).meta({ description: 'Price step in INR' }),
    category,
    source_url: sourceUrl,
    fee_taker_bp: feeRate('orders on arrival'),
    fee_maker_bp: feeRate('orders while they rest'),
  })
  .refine(({ start_date, end_date }) => Date.parse(end_date) > Date.parse(start_date), {
    path: ['end_date'],
    message: REFUSED.endBeforeStart,
    when: ({ value }) => areStrings(value, 'start_date', 'end_date'),
  })
  .refine(({ min_bet, max_bet }) => max_bet >= min_bet, {
    path: ['max_bet'],
    message: REFUSED.maxBelowMin,
    when: ({ value }) => areNumbers(value, 'min_bet', 'max_bet'),
  })
  .meta({ id: 'NewEvent' })

export function toMarketRequest(body: z.output<typeof eventSchema>): NewMarket {
  return {
    terms: {
      payout: ticks(body.payout * TICKS_PER_RUPEE),
      tickSize: ticks(Math.round(body.tick_size * TICKS_PER_RUPEE)),
      minBet: amount(toUnits(body.min_bet) ?? 0),
      maxBet: amount(toUnits(body.max_bet) ?? 0),
      capacity: lots(wholeParts(body.quantity, LOTS_PER_CONTRACT) ?? 0),
      startAt: Date.parse(body.start_date) as TimeMs,
      endAt: Date.parse(body.end_date) as TimeMs,
      ...(isGiven(body.fee_taker_bp) && { feeTaker: body.fee_taker_bp }),
      ...(isGiven(body.fee_maker_bp) && { feeMaker: body.fee_maker_bp }),
    },
    listing: {
      title: body.title,
      slug: slugOf(body.title),
      description: body.description,
      sot: body.sot,
      ...(body.category && { category: body.category }),
      ...(body.source_url && { sourceUrl: body.source_url }),
    },
  }
}

function isGiven<T>(value: T | null | undefined): value is T {
  return value !== null && value !== undefined
}

const toUnits = (value: number) => wholeParts(value, UNITS_PER_RUPEE)

function areStrings(value: unknown, ...fields: string[]): boolean {
  return fields.every(field => typeof fieldOf(value, field) === 'string')
}

function areNumbers(value: unknown, ...fields: string[]): boolean {
  return fields.every(field => typeof fieldOf(value, field) === 'number')
}

function fieldOf(value: unknown, field: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[field] : undefined
}
