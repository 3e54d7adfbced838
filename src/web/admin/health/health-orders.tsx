import type { Health } from '../../../client/client.js'
import { countText } from '../../kit/number-texts.js'
import { durationText } from './health-texts.js'
import { ratePath } from './rate-path.js'

const SIZE = { width: 600, height: 64 }

interface HealthOrdersProps {
  readonly orders: Health['orders']
  readonly shards: Health['shards']
  /** Orders per second, one entry per recent second. */
  readonly rates: readonly number[]
  readonly ratesMax: number
}

/** Order rate, latency and queues. */
export function HealthOrders({ orders, shards, rates, ratesMax }: HealthOrdersProps) {
  const most = Math.max(1, ...rates)
  return (
    <section class="card" aria-label="Orders">
      <dl class="figures-line">
        <div>
          <dt>Orders/s</dt>
          <dd>{countText(orders.per_second)}</dd>
        </div>
        <div>
          <dt>1-min average</dt>
          <dd>{countText(orders.per_second_of_minute)}</dd>
        </div>
        <div>
          <dt>Latency, p50</dt>
          <dd>{durationText(orders.latency_p50)}</dd>
        </div>
        <div>
          <dt>Latency, p99</dt>
          <dd>{durationText(orders.latency_p99)}</dd>
        </div>
        <div>
          <dt>Since start</dt>
          <dd>{countText(orders.total, 'scarce')}</dd>
        </div>
      </dl>
      <figure class="rates">
        <svg viewBox={`0 0 ${SIZE.width} ${SIZE.height}`} preserveAspectRatio="none" aria-hidden="true">
          <path d={ratePath(rates, ratesMax, SIZE)} />
        </svg>
        <figcaption class="faint">
          Orders/s over the last minute this page was open; peak {countText(most)}.
        </figcaption>
      </figure>
      <Shards shards={shards} />
    </section>
  )
}

/** The queue of each shard. */
function Shards({ shards }: { readonly shards: Health['shards'] }) {
  return (
    <table class="table shards">
      <caption class="unseen">Queue per shard</caption>
      <thead>
        <tr>
          <th scope="col">Shard</th>
          <th scope="col" class="number">
            Waiting
          </th>
          <th scope="col" class="number">
            Batches in flight
          </th>
        </tr>
      </thead>
      <tbody>
        {shards.map(({ shard, queue, batches_in_flight }) => (
          <tr key={shard}>
            <th scope="row">{shard}</th>
            <td class="number">{countText(queue)}</td>
            <td class="number">{countText(batches_in_flight)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
