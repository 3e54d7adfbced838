import { z } from 'zod'
import { houseRung } from '../events/event-answer.js'
import { answerField } from '../fields.js'
import type { Checked, Same } from '../same-shape.js'
import type { GroupHouseQuotes, HouseQuotes } from './liquidity-shape.js'

const { contracts, eventCode, moment, price, rupees } = answerField

const budget = rupees.meta({ description: 'What the house was given: it never loses more' })
const returned = rupees.meta({ description: 'What has gone back since it was stopped or the event ended' })
const worst_case = rupees.meta({
  description: 'The lowest result that is still possible, whatever trades from now on; negative: a loss',
})
const max_loss = rupees.nullable().meta({
  description: 'The most that its table of prices can lose, at most the budget; null once all money is back',
})

const quotes = z.object({
  event_id: eventCode,
  status: z.enum(['preview', 'running', 'stopped', 'returned']).meta({
    description:
      'preview: what a budget would give. stopped: it trades no more, and what it holds is paid with the ' +
      'result. returned: all its money is back',
  }),
  ...{ budget, returned },
  start_price: price.meta({ description: 'The YES price around which it began' }),
  step: price.meta({ description: 'From one rung to the next' }),
  ...{ max_loss, worst_case },
  result_if_yes: rupees.meta({ description: 'Its result if nothing trades any more and YES wins' }),
  result_if_no: rupees.meta({ description: 'The same if NO wins' }),
  cash: rupees.meta({ description: 'INR on its account' }),
  yes: contracts.meta({ description: 'YES contracts that it holds' }),
  no: contracts,
  asks_only: z.boolean().meta({
    description: 'Whether it begins by selling YES only, because no rung is below the start price',
  }),
  rungs: z
    .array(houseRung)
    .meta({ description: 'Its orders in the book, of each side the best first: at most 15' }),
  fundedAt: moment.nullable(),
  stoppedAt: moment.nullable(),
})

const ofEvent = quotes.meta({ id: 'HouseQuotes' })

const ofGroup = z
  .object({
    code: eventCode.meta({ description: 'The code of the group' }),
    ...{ budget, returned, max_loss, worst_case },
    outcomes: z
      .array(quotes.extend({ label: z.string().meta({ description: 'The outcome’s own title' }) }))
      .meta({ description: 'Those of the outcomes that have been funded' }),
  })
  .meta({ id: 'GroupHouseQuotes' })

export const liquidityAnswers = { quotes: ofEvent, group: ofGroup }

export type QuotesAnswer = Checked<HouseQuotes, Same<HouseQuotes, z.output<typeof ofEvent>>>
export type GroupQuotesAnswer = Checked<GroupHouseQuotes, Same<GroupHouseQuotes, z.output<typeof ofGroup>>>
