import { countText, rupeesText } from '../../kit/number-texts.js'
import { account } from '../account.js'
import { titleOf } from '../titles.js'

/** The user’s positions: average price, unrealised and realised P&L. */
export function PositionsTable() {
  const positions = account.value.positions ?? []
  if (positions.length === 0) return <p class="empty">No open positions.</p>
  return (
    <div class="table-frame">
      <table class="table">
        <thead>
          <tr>
            <th scope="col">Market</th>
            <th scope="col">Contracts</th>
            <th scope="col" class="number roomy">
              Average price
            </th>
            <th scope="col" class="number">
              Unrealised P&L
            </th>
            <th scope="col" class="number roomy">
              Realised P&L
            </th>
            <th scope="col">
              <span class="unseen">Exit</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {positions.map(({ event_id, yes, no }) => {
            const valued = account.value.valued.get(event_id)
            return (
              <tr key={event_id}>
                <td class="wide">
                  <a href={`/market/${event_id}`}>{titleOf(event_id)}</a>
                </td>
                <td>
                  {yes > 0 && <span class="yes">{countText(yes)} YES </span>}
                  {no > 0 && <span class="no">{countText(no)} NO</span>}
                </td>
                <td class="number roomy">
                  {valued?.average_price == null ? '–' : rupeesText(valued.average_price)}
                </td>
                <Change rupees={valued?.unrealised ?? null} kind="number" />
                <Change rupees={valued?.realised ?? null} kind="number roomy" />
                <td class="number">
                  <a class="button button-small" href={`/market/${event_id}?exit=${yes > 0 ? 'yes' : 'no'}`}>
                    Exit
                  </a>
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

function Change({ rupees, kind }: { readonly rupees: number | null; readonly kind: string }) {
  if (rupees === null) return <td class={kind}>–</td>
  return (
    <td class={`${kind} ${rupees > 0 ? 'gain' : rupees < 0 ? 'loss' : ''}`}>
      {rupeesText(rupees, 'signed')}
    </td>
  )
}
