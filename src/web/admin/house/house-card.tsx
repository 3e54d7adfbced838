import { rupeesText } from '../../kit/number-texts.js'
import { t } from '../../texts/admin-house.js'
import { clients } from '../admin-clients.js'
import { useOperatorAction } from '../operator-action.js'
import { usePolled } from '../polling.js'
import type { AnyQuotes, HouseCardProps } from './any-quotes.js'
import { quotesIn } from './any-quotes.js'
import { HouseForm } from './house-form.jsx'
import { HouseMoney } from './house-money.jsx'

const POLL_PAUSE_MS = 3000

/** Shows the house quotes of an event or a group, and funds and stops them. */
export function HouseCard(props: HouseCardProps) {
  const { code, callsOf, takesOrders } = props
  const { value: quotes, again } = usePolled(
    () => callsOf(clients.asking).fetchQuotes(code),
    POLL_PAUSE_MS,
    code,
  )
  const { fault, isBusy, run } = useOperatorAction()
  if (quotes === undefined) return takesOrders ? <Waiting /> : null
  if (quotes === null && !takesOrders) return null
  const isRunning = quotes !== null && quotesIn(quotes).some(({ status }) => status === 'running')
  const stop = () =>
    run(async () => {
      await callsOf(clients.doing).stop(code)
      again()
    })
  return (
    <section class="card" aria-labelledby="house-title">
      <div class="card-head">
        <h2 id="house-title">
          {t.title} {isRunning && takesOrders && <span class="tag status-good">{t.running}</span>}
        </h2>
        {isRunning && takesOrders && (
          <button type="button" class="button button-danger-quiet" disabled={isBusy} onClick={stop}>
            {t.stop}
          </button>
        )}
      </div>
      {quotes !== null && (isRunning ? <HouseMoney quotes={quotes} /> : <Past quotes={quotes} />)}
      {!isRunning && takesOrders && <HouseForm {...props} onDone={again} />}
      <p class="card-foot fault" role="alert">
        {fault?.words}
      </p>
    </section>
  )
}

/** Says how much came back of quotes that run no more. */
function Past({ quotes }: { readonly quotes: AnyQuotes }) {
  const { budget, returned } = quotes
  const isBack = quotesIn(quotes).every(({ status }) => status === 'returned')
  const words = isBack ? t.allBack : t.stopped
  return <p class="card-body">{words(rupeesText(returned), rupeesText(budget))}</p>
}

/** Keeps the room of the card until the quotes are known. */
function Waiting() {
  return (
    <section class="card house-waiting" aria-labelledby="house-title" aria-busy="true">
      <h2 id="house-title">{t.title}</h2>
    </section>
  )
}
