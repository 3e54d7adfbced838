import { hundredthsText } from '../../kit/hundredths.js'
import { rupeesText } from '../../kit/number-texts.js'
import { t } from '../../texts/ticket.js'
import { contractsFor, partOf } from './rupee-quantity.js'
import { sideOf } from './ticket-draft.js'
import type { TicketView } from './ticket-state.js'
import { unitOf } from './ticket-state.js'
import { draftOf } from './typed-draft.js'

const UNITS_PER_PAISA = 100
const PAISE_PER_RUPEE = 100
const LOTS_PER_CONTRACT = 100
const LOTS_MIN = 10
const AMOUNTS = [100, 500]
const SHARES = [0.25, 0.5, 1] as const

/** Fills in a quantity: a round amount, or a share of the most that the user can buy or sell. */
export function QuantityChips(view: TicketView) {
  const { ticket } = view
  const isMoney = unitOf(ticket) === 'rupees'
  const text = isMoney ? ticket.amountText : ticket.quantityText
  const most = isMoney ? mostPaise(view) : mostLots(view)
  const least = isMoney ? PAISE_PER_RUPEE : LOTS_MIN
  const round = ticket.deal.value === 'sell' ? [] : isMoney ? AMOUNTS : [10, 100]
  return (
    <div class="chips ticket-chips">
      {round.map(number => (
        <Chip
          key={number}
          label={isMoney ? rupeesText(number).replace(/\.00$/, '') : String(number)}
          onClick={() => {
            text.value = String(number)
          }}
        />
      ))}
      {SHARES.map(share => {
        const part = partOf(most, share)
        return (
          <Chip
            key={share}
            label={share < 1 ? `${share * 100}%` : t.max}
            disabled={part < least}
            onClick={() => {
              text.value = hundredthsText(part)
            }}
          />
        )
      })}
    </div>
  )
}

interface ChipProps {
  readonly label: string
  readonly disabled?: boolean
  readonly onClick: () => void
}

function Chip({ label, disabled = false, onClick }: ChipProps) {
  return (
    <button type="button" class="chip" disabled={disabled} onClick={onClick}>
      {label}
    </button>
  )
}

function mostPaise({ power, terms }: TicketView): number {
  const money = power.moneyUnits ?? 0
  return Math.floor(Math.min(terms.maxBetUnits, money) / UNITS_PER_PAISA)
}

/** Returns the most contracts that can be sold, or that money and the largest order allow to buy. */
function mostLots(view: TicketView): number {
  const { ticket, terms, book, own, power } = view
  const draft = draftOf(ticket, view)
  const free = sideOf(draft) === 'yes' ? power.noLots : power.yesLots
  if (draft.deal === 'sell') return free
  if (power.moneyUnits === undefined) return 0
  const lotsFor = (units: number) =>
    contractsFor({ spendUnits: units, holdUnits: units }, draft, terms, book, own)?.lots ?? 0
  const most = Math.min(lotsFor(terms.maxBetUnits), lotsFor(power.moneyUnits) + free)
  // Rounds down to whole contracts, which read better.
  return most < LOTS_PER_CONTRACT ? most : Math.floor(most / LOTS_PER_CONTRACT) * LOTS_PER_CONTRACT
}
