import { chanceOf } from '../../api/events/implied-chance.js'
import type { ListedMarket } from '../../client/shapes.js'
import { chanceText, rupeesText } from '../kit/number-texts.js'
import { dayTimeText } from '../kit/time-texts.js'
import { sparkPath } from '../kit/spark-path.js'
import { siteName } from '../kit/page-site.js'
import { nameText } from '../kit/name-text.js'
import { t } from '../texts/embed.js'

const SVG = 'http://www.w3.org/2000/svg'
const CHART = { width: 300, height: 72 }

/** Shows a market. What users wrote is set as text alone. */
export function showCard(market: ListedMarket): void {
  const { event_id, title, payout, best_bid, best_ask, last_price, outcome } = market
  const quotes = { payout, bid: best_bid, ask: best_ask, last: last_price }
  const card = element('a', 'embed')
  card.href = `/market/${event_id}`
  card.target = '_blank'
  card.rel = 'noopener'
  card.append(
    element('h1', '', nameText(title)),
    headline(market, chanceText(chanceOf(quotes), 'headline')),
    chart(market),
    // Bounded: two or none.
    ...(outcome === null
      ? [
          price('yes', t.yes, best_ask === null ? '–' : rupeesText(best_ask)),
          price('no', t.no, best_bid === null ? '–' : rupeesText(payout - best_bid)),
        ]
      : []),
    foot(market),
  )
  replace(card)
}

/** Shows a sentence in place of a market. */
export function showMessage(text: string): void {
  replace(element('p', 'embed-message', text))
}

function headline({ outcome }: ListedMarket, chance: string): HTMLElement {
  const line = element('p', 'embed-chance')
  line.dataset.outcome = outcome ?? ''
  line.append(
    outcome === null ? chance : t.outcomes[outcome],
    element('small', '', outcome === null ? t.chance : t.result),
  )
  return line
}

function price(side: 'yes' | 'no', name: string, text: string): HTMLElement {
  const line = element('p', 'embed-price')
  line.dataset.side = side
  line.append(element('small', '', name), text)
  return line
}

function foot({ status, end_date }: ListedMarket): HTMLElement {
  const line = element('p', 'embed-foot')
  const isOpen = status === 'open' || status === 'halted' || status === 'scheduled'
  const day = dayTimeText(end_date)
  line.append(element('span', '', isOpen ? t.closes(day) : t.closed(day)), element('b', '', siteName))
  return line
}

function chart({ trend = [], last_price, payout }: ListedMarket): SVGElement {
  const { width, height } = CHART
  const svg = document.createElementNS(SVG, 'svg')
  svg.setAttribute('class', 'embed-chart')
  svg.setAttribute('viewBox', `0 0 ${width} ${height}`)
  svg.setAttribute('preserveAspectRatio', 'none')
  svg.setAttribute('aria-hidden', 'true')
  const prices = [...trend, ...(last_price === null ? [] : [last_price])]
  const path = document.createElementNS(SVG, 'path')
  path.setAttribute(
    'd',
    sparkPath(
      prices.map(each => each / payout),
      width,
      height,
    ),
  )
  svg.append(path)
  return svg
}

function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  className = '',
  text = '',
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name)
  if (className !== '') made.className = className
  made.textContent = text
  return made
}

function replace(child: HTMLElement): void {
  document.getElementById('app')?.replaceChildren(child)
}
