import { z } from 'zod'
import { oppositeSide } from '../../core/order.js'
import type { OrderRequest } from '../../core/order-request.js'
import type { MarketTerms } from '../../core/market.js'
import { nearestStep } from '../../core/units.js'
import { yesPriceOf } from '../../core/yes-price.js'
import { DONE } from '../answer-texts.js'
import { LIMITS } from '../limits.js'
import { FULL, REFUSED } from '../refusal-texts.js'
import { route } from '../route.js'
import type { Checked, Same } from '../same-shape.js'
import { samples } from '../samples.js'
import { userIdField } from '../user-id.js'
import { storedText } from '../validation.js'
import { orderAnswer } from './order-answer.js'
import type { ReplacedQuotes } from './quote-shape.js'

const { quotesMax: MOST, quoteSetLengthMax: SET_LENGTH } = LIMITS
const SET = `Expected 1 to ${SET_LENGTH} characters`

const quote = z
  .strictObject({
    offer_type: z.enum(['buy', 'sell']),
    outcome: z
      .enum(['yes', 'no'])
      .default('yes')
      .meta({ description: 'The outcome to buy or sell, to which the price refers' }),
    price: z
      .number()
      .min(0.1, 'Expected at least 0.1')
      .overwrite(nearestStep)
      .meta({ description: 'INR per contract of the outcome' }),
    quantity: z
      .number()
      .min(0.1, 'Expected at least 0.1')
      .overwrite(nearestStep)
      .meta({ description: 'Contracts that are to be open' }),
  })
  .meta({ id: 'NewQuote' })

/** The body of `PUT /order/quotes`. */
export const quotesSchema = z
  .strictObject({
    event_id: z.string().meta({ description: 'The event code' }),
    quote_set: storedText
      .refine(name => name.length >= 1 && name.length <= SET_LENGTH, SET)
      .default('default')
      .meta({
        minLength: 1,
        maxLength: SET_LENGTH,
        description: 'Your name for the quotes that are replaced together',
      }),
    quotes: z
      .array(quote)
      .max(MOST, `Expected at most ${MOST}`)
      .meta({ description: 'All quotes of the set from now on; none ends it' }),
    userid: userIdField,
  })
  .meta({ id: 'NewQuotes' })

type QuotesBody = z.output<typeof quotesSchema>

export const quotesAnswer = z
  .object({
    results: z
      .array(
        z.object({
          result: z.enum(['kept', 'reduced', 'placed', 'rejected']).meta({
            description: '`kept` and `reduced` quotes have their place in the queue',
          }),
          order: orderAnswer,
        }),
      )
      .meta({ description: 'One for each quote of the request, in its order' }),
    ended: z.int().min(0).meta({ description: 'Quotes of the set before that ended' }),
  })
  .meta({ id: 'ReplacedQuotes' })

export type QuotesAnswer = Checked<ReplacedQuotes, Same<ReplacedQuotes, z.output<typeof quotesAnswer>>>

const { order } = samples
const placed = { ...order, post_only: true, client_order_id: null, quote_set: 'default' }
export const quotesSample = {
  event_id: '1000001',
  quotes: [
    { offer_type: 'buy' as const, price: 6.4, quantity: 10 },
    { offer_type: 'sell' as const, price: 6.6, quantity: 10 },
  ],
  userid: 'asha',
}
export const replacedSample: QuotesAnswer = {
  results: [
    { result: 'kept', order: placed },
    { result: 'rejected', order: { ...placed, state: 'rejected', reason: 'order_would_take' } },
  ],
  ended: 1,
}

/** Quotes that are replaced together. */
export const quoteRoutes = {
  replaceQuotes: route({
    id: 'replaceQuotes',
    method: 'PUT',
    path: '/order/quotes',
    needs: 'trade',
    cost: { kind: 'orders', points: 1 },
    placesOrders: true,
    group: 'Orders',
    summary: 'Replace the quotes of a user in an event',
    description:
      'In one step: quotes that are unchanged or smaller keep their place in the queue, the others of the ' +
      'set are cancelled, and new ones are placed post-only. Costs as many orders as it has quotes.',
    body: { schema: quotesSchema, samples: { 'two quotes': quotesSample } },
    answers: [
      {
        code: 200,
        message: DONE.quotesReplaced,
        additional: quotesAnswer,
        samples: { replaced: { additional: replacedSample } },
      },
    ],
    refusals: {
      403: [FULL.trading_suspended],
      404: [REFUSED.eventNotFound],
      409: [FULL.accounts_full, FULL.open_orders_full, FULL.numbers_used_up],
      422: [
        `quotes: Expected at most ${MOST}`,
        `quote_set: ${SET}`,
        'quotes.0.price: Expected at least 0.1',
        'userid: Required',
      ],
      503: [FULL.queue_full],
    },
  }),
}

/** Returns the orders that quotes are placed as. */
export function toQuoteRequests(body: QuotesBody, userId: string, terms: MarketTerms): OrderRequest[] {
  return body.quotes.map(({ offer_type, outcome, price, quantity }) => ({
    market: terms.code,
    userId,
    side: offer_type === 'buy' ? outcome : oppositeSide(outcome),
    orderType: 'LO',
    selfTrade: 'taker',
    postOnly: true,
    quoteSet: body.quote_set,
    outcome,
    yesPrice: yesPriceOf(outcome, price, terms.payout),
    askedPrice: price,
    quantity,
  }))
}
