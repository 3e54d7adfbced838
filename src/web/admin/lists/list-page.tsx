import type { Signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { t } from '../../texts/admin-frame.js'
import { MoreButton } from '../more-button.jsx'

interface ListCardProps {
  readonly name: string
  /** The rows shown; undefined before the first answer. */
  readonly count: number | undefined
  /** The text of an empty list. */
  readonly empty: string
  /** The number of rows asked for: as many may have more behind them. */
  readonly limit: Signal<number>
  readonly step: number
  /** The heading of a list that is not alone on its page, which an empty one needs as well. */
  readonly head?: ComponentChildren
  readonly children: ComponentChildren
}

/** A list in its card: while it loads, when it is empty, and with a button for more. */
export function ListCard({ name, count, empty, limit, step, head, children }: ListCardProps) {
  return (
    <>
      <section class="card" aria-label={name} aria-busy={count === undefined}>
        {head}
        {count === undefined && <p class="empty">{t.loading}</p>}
        {count === 0 && <p class="empty">{empty}</p>}
        {count !== undefined && count > 0 && children}
      </section>
      {count === limit.value && <MoreButton words={t.showMore} limit={limit} step={step} />}
    </>
  )
}
