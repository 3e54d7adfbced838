import type { HouseQuotes } from '../../../client/client.js'
import { FiguresLine } from '../../kit/figures-line.jsx'
import { nameText } from '../../kit/name-text.js'
import { countText, rupeesText } from '../../kit/number-texts.js'
import type { Column } from '../../kit/table.jsx'
import { Table } from '../../kit/table.jsx'
import { t } from '../../texts/admin-house.js'
import type { AnyQuotes } from './any-quotes.js'
import { quotesIn } from './any-quotes.js'

type Outcome = HouseQuotes & { readonly label?: string }

const signed = (rupees: number) => rupeesText(rupees, 'signed')
const held = ({ yes, no }: HouseQuotes) => t.held(countText(yes), countText(no))

const COLUMNS: readonly Column<Outcome>[] = [
  {
    ...{ id: 'outcome', label: t.outcome, kind: 'wide', isHead: true },
    cell: ({ event_id, label = '' }) => <a href={`/admin/event/${event_id}`}>{nameText(label)}</a>,
  },
  { ...{ id: 'start', label: t.startPrice, kind: 'number', isRoomy: true }, cell: startText },
  { ...{ id: 'yes', label: t.ifYes, kind: 'number' }, cell: quotes => signed(quotes.result_if_yes) },
  { ...{ id: 'no', label: t.ifNo, kind: 'number' }, cell: quotes => signed(quotes.result_if_no) },
  { ...{ id: 'bound', label: t.maxLoss, kind: 'number' }, cell: quotes => rupeesText(quotes.max_loss ?? 0) },
  { ...{ id: 'held', label: t.inventory, kind: 'number', isRoomy: true }, cell: held },
]

/** Shows the results of running quotes, and what they can still lose. */
export function HouseMoney({ quotes }: { readonly quotes: AnyQuotes }) {
  const outcomes = quotesIn(quotes)
  const { budget, worst_case, max_loss } = quotes
  const [first] = outcomes
  const isEvent = !('outcomes' in quotes)
  const lost = outcomes.reduce((sum, each) => sum + lossNow(each), 0)
  const figures: readonly (readonly [label: string, value: string])[] = [
    [t.budget, rupeesText(budget)],
    [t.worstCase, signed(worst_case)],
    ...(isEvent && first !== undefined
      ? ([
          [t.ifYes, signed(first.result_if_yes)],
          [t.ifNo, signed(first.result_if_no)],
          [t.startPrice, startText(first)],
        ] as const)
      : ([[t.maxLoss, rupeesText(max_loss ?? 0)]] as const)),
  ]
  return (
    <>
      <FiguresLine figures={figures} class={isEvent ? 'figures-five' : ''} />
      <div class="card-body house-bars">
        <div>
          <p class="faint">{t.lossSoFar(rupeesText(lost), rupeesText(budget))}</p>
          <meter class="house-bar" aria-label={t.lossLabel} min={0} max={budget} value={lost} />
        </div>
        {isEvent && first !== undefined && <Inventory quotes={first} />}
      </div>
      {!isEvent && <Table columns={COLUMNS} rows={outcomes} keyOf={({ event_id }) => event_id} />}
      {outcomes.some(({ asks_only }) => asks_only) && <p class="card-foot note">{t.asksOnly}</p>}
    </>
  )
}

/** A needle between the outcomes: on the side of the one that the house would gain by. */
function Inventory({ quotes }: { readonly quotes: HouseQuotes }) {
  const { result_if_yes, result_if_no, budget } = quotes
  const lean = Math.max(-1, Math.min(1, (result_if_yes - result_if_no) / (2 * budget)))
  return (
    <div>
      <p class="faint">
        {t.inventory}: {held(quotes)}
      </p>
      <div class="house-needle" aria-hidden="true">
        <span style={{ left: `${(50 + 50 * lean).toFixed(1)}%` }} />
      </div>
      <p class="house-ends faint" aria-hidden="true">
        <span>{t.gainsByNo}</span>
        <span>{t.gainsByYes}</span>
      </p>
    </div>
  )
}

/** Returns the loss if the outcome that is worse for the house wins now. */
function lossNow({ result_if_yes, result_if_no }: HouseQuotes): number {
  return Math.max(0, -Math.min(result_if_yes, result_if_no))
}

function startText({ start_price, step }: HouseQuotes): string {
  return t.startAndStep(rupeesText(start_price), rupeesText(step))
}
