import type { Health } from '../../../client/client.js'
import { FiguresLine } from '../../kit/figures-line.jsx'
import { countText } from '../../kit/number-texts.js'
import { t } from '../../texts/admin-health.js'
import { durationText } from './health-texts.js'

interface HealthOrdersProps {
  readonly orders: Health['orders']
  readonly shards: Health['shards']
}

/** Order rate, latency and queues. */
export function HealthOrders({ orders, shards }: HealthOrdersProps) {
  return (
    <section class="card" aria-label={t.orders}>
      <FiguresLine
        figures={[
          [t.perSecond, countText(orders.per_second)],
          [t.minuteAverage, countText(orders.per_second_of_minute)],
          [t.latencyMedian, durationText(orders.latency_p50)],
          [t.latencyTail, durationText(orders.latency_p99)],
          [t.sinceStart, countText(orders.total, 'scarce')],
        ]}
      />
      <Shards shards={shards} />
    </section>
  )
}

/** The queue of each shard. */
function Shards({ shards }: { readonly shards: Health['shards'] }) {
  return (
    <table class="table shards">
      <caption class="unseen">{t.queues}</caption>
      <thead>
        <tr>
          <th scope="col">{t.shard}</th>
          <th scope="col" class="number">
            {t.waiting}
          </th>
          <th scope="col" class="number">
            {t.inFlight}
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
