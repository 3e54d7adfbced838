import { sizeText } from '../../../api/size-text.js'
import type { Health } from '../../../client/client.js'
import { secondClock } from '../../kit/browser-clock.js'
import { FiguresLine } from '../../kit/figures-line.jsx'
import { timeLeftText } from '../../kit/time-texts.js'
import { t } from '../../texts/admin-health.js'
import { durationText } from './health-texts.js'
import type { Concern } from './health-verdict.js'
import { verdictOf } from './health-verdict.js'

/** Judges the exchange in one sentence, above the three figures that decide it. */
export function VerdictCard({ health }: { readonly health: Health }) {
  const now = secondClock.value
  const { grade, concerns } = verdictOf(health, now)
  const verified = health.backups.last_verified
  return (
    <section class={`card verdict verdict-${grade}`} aria-labelledby="verdict-title">
      <div class="card-head">
        <h2 id="verdict-title">{t.verdicts[grade]}</h2>
      </div>
      {concerns.length > 0 && (
        <ul class="card-body checks">
          {concerns.map(([concern, level]) => (
            <li key={concern}>
              <span class={level === 'act' ? 'fault' : 'warn'} role="img" aria-label={t.verdicts[level]}>
                {level === 'act' ? '✗' : '!'}
              </span>{' '}
              <ConcernWords concern={concern} />
            </li>
          ))}
        </ul>
      )}
      <FiguresLine
        figures={[
          [t.latencyTail, durationText(health.orders.latency_p99)],
          [t.freeDisk, sizeText(health.disk.free_bytes)],
          [
            t.verifiedBackup,
            verified === null ? t.never : t.ago(timeLeftText(now - Date.parse(verified.createdAt))),
          ],
        ]}
      />
    </section>
  )
}

/** The cards of the page where a concern is dealt with. */
const CARDS: Partial<Record<Concern, string>> = { backup: '#backup-title', file: '#ledger-title' }

function ConcernWords({ concern }: { readonly concern: Concern }) {
  const card = CARDS[concern]
  return card === undefined ? <>{t.concerns[concern]}</> : <a href={card}>{t.concerns[concern]}</a>
}
