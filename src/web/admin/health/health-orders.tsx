import type { Health } from '../../../client/client.js'
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
      <dl class="figures-line">
        <div>
          <dt>{t.perSecond}</dt>
          <dd>{countText(orders.per_second)}</dd>
        </div>
        <div>
          <dt>{t.minuteAverage}</dt>
          <dd>{countText(orders.per_second_of_minute)}</dd>
        </div>
        <div>
          <dt>{t.latencyMedian}</dt>
          <dd>{durationText(orders.latency_p50)}</dd>
        </div>
        <div>
          <dt>{t.latencyTail}</dt>
          <dd>{durationText(orders.latency_p99)}</dd>
        </div>
        <div>
          <dt>{t.sinceStart}</dt>
          <dd>{countText(orders.total, 'scarce')}</dd>
        </div>
      </dl>
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
