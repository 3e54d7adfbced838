import { z } from 'zod'
import type { NewGroup } from '../../core/group.js'
import { NONE_LABEL } from '../../core/group.js'
import { slugOf } from '../../core/slug.js'
import type { QuantityLots } from '../../core/units.js'
import { LOTS_PER_CONTRACT, lots, wholeParts } from '../../core/units.js'
import { ApiError } from '../api-error.js'
import { emojiField } from '../events/event-image-schema.js'
import { editSchema } from '../events/event-edit-schema.js'
import { eventSchema, toMarketRequest } from '../events/event-schema.js'
import { LIMITS } from '../limits.js'
import { pageQuery } from '../page-query.js'
import { resolutionSchema } from '../operator/resolution-schema.js'
import { keyField } from '../orders/order-key.js'
import { userIdField } from '../user-id.js'
import { validate } from '../validation.js'

const LENGTH = `Expected ${LIMITS.outcomesMin} to ${LIMITS.outcomesMax} outcomes`
const { title, description, ...terms } = eventSchema.shape
const { source_url, note } = resolutionSchema.shape
const { start_date, end_date, min_bet, max_bet, sot, quantity, fee_taker_bp, fee_maker_bp } = editSchema.shape
/** Those of all outcomes, which a group changes together. */
const editedTerms = { start_date, end_date, min_bet, max_bet, sot, quantity, fee_taker_bp, fee_maker_bp }

export const groupKind = z.enum(['exclusive', 'independent']).meta({
  description: 'exclusive: exactly one outcome comes true. independent: each has a result of its own',
})

const outcomeSchema = z
  .strictObject({
    title: title.meta({ description: 'Unique in the group; its event is titled “<group title>: <title>”' }),
    description: description.optional().meta({ description: 'That of the group unless given' }),
    icon: emojiField.optional().meta({ description: 'One emoji, the image of its event' }),
  })
  .meta({ id: 'NewOutcome' })

/** The body of `POST /groups/create`: the terms are those of every outcome. */
export const groupSchema = z
  .strictObject({
    title: title.meta({ description: 'The question' }),
    description,
    kind: groupKind,
    none_of_these: z.boolean().default(false).meta({
      description:
        'Adds a last outcome “None of these” to an exclusive group in which no other may come true',
    }),
    outcomes: z.array(outcomeSchema).max(LIMITS.outcomesMax, LENGTH),
    ...terms,
  })
  .refine(({ kind, none_of_these }) => kind === 'exclusive' || !none_of_these, {
    path: ['none_of_these'],
    message: 'Expected only in an exclusive group',
  })
  .refine(({ outcomes, none_of_these }) => isLength(outcomes.length + (none_of_these ? 1 : 0)), {
    path: ['outcomes'],
    message: LENGTH,
  })
  .meta({ id: 'NewGroup' })

/** The body of `PATCH /groups/:code`; titles and texts of its outcomes are edited with their events. */
export const groupEditSchema = z
  .strictObject({
    title: title.optional(),
    description: description.optional(),
    ...editedTerms,
  })
  .refine(
    body => Object.keys(body).length > 0,
    `Expected one of ${['title', 'description', ...Object.keys(editedTerms)].join(', ')}`,
  )
  .meta({ id: 'GroupEdit' })

const winner = z
  .string()
  .meta({ description: 'Of an exclusive group: the code of the event that won, or `void`' })

/** The body of `POST /groups/:code/resolve`: `winner`, or `outcomes` where independent. */
export const groupResolutionSchema = z
  .strictObject({
    winner: winner.optional(),
    outcomes: z
      .record(z.string(), z.enum(['yes', 'no', 'void']))
      .optional()
      .meta({ description: 'Of an independent group: outcomes by the codes of events' }),
    source_url,
    note,
  })
  .meta({ id: 'GroupResolution' })

/** Selects a result of an exclusive group, and a page. */
export const groupPreviewQuery = z.object({ winner: winner, ...pageQuery.shape })

/** The body of `POST /groups/:code/convert`. */
export const conversionSchema = z
  .strictObject({
    userid: userIdField,
    outcomes: z
      .array(z.string())
      .max(LIMITS.outcomesMax, `Expected at most ${LIMITS.outcomesMax} outcomes`)
      .meta({
        description: 'The events whose NO contracts are converted; none: a complete set of YES contracts',
      }),
    quantity: eventSchema.shape.quantity.meta({
      description: 'Contracts of each outcome, a multiple of 0.01',
    }),
    direction: z.enum(['release', 'build']).default('release').meta({
      description: 'release: contracts into money. build: money into contracts',
    }),
    client_order_id: keyField.optional(),
  })
  .meta({ id: 'NewConversion' })

export const conversionQuery = z.object({
  preview: z.literal('true').optional().meta({ description: 'Changes nothing, and says what would be done' }),
})

export function lotsOf({ quantity }: { readonly quantity: number }): QuantityLots {
  return lots(wholeParts(quantity, LOTS_PER_CONTRACT) ?? 0)
}

/** Returns the group that a body describes. Throws 422 for outcomes whose titles do not fit together. */
export function toNewGroup(body: z.output<typeof groupSchema>): NewGroup {
  const { title: ofGroup, description: about, kind, none_of_these, outcomes, ...shared } = body
  const all: readonly z.output<typeof outcomeSchema>[] = none_of_these
    ? [...outcomes, { title: NONE_LABEL }]
    : outcomes
  // The terms are checked once, the titles are checked here.
  const market = toMarketRequest(validate(eventSchema, { ...shared, title: ofGroup, description: about }))
  const slugs = new Set<string>()
  const markets = all.map(({ title: label, description: own = about }, index) => {
    const full = `${ofGroup}: ${label}`
    const slug = slugOf(full)
    const field = outcomeField(body, index)
    if (full.length > LIMITS.titleLengthMax) {
      throw new ApiError(422, `${field}: Expected at most ${LIMITS.titleLengthMax} characters with the title`)
    }
    if (slugs.has(slug)) throw new ApiError(422, `${field}: Expected another title than the outcomes before`)
    slugs.add(slug)
    return { ...market, listing: { ...market.listing, title: full, slug, label, description: own } }
  })
  const listing = { title: ofGroup, description: about, ...(none_of_these && { hasNone: true as const }) }
  return { kind, listing, markets }
}

/** Returns the field that named an outcome. */
export function outcomeField({ outcomes }: { readonly outcomes: readonly unknown[] }, index: number): string {
  return index < outcomes.length ? `outcomes.${index}.title` : 'none_of_these'
}

function isLength(length: number): boolean {
  return LIMITS.outcomesMin <= length && length <= LIMITS.outcomesMax
}
