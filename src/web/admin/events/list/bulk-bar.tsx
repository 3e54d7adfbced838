import type { Signal } from '@preact/signals'
import { useSignal } from '@preact/signals'
import type { ListedMarket } from '../../../../client/client.js'
import { countText } from '../../../kit/number-texts.js'
import { t as list } from '../../../texts/admin-list.js'
import { BulkDialog } from './bulk-dialog.jsx'
import type { BulkMove } from './bulk-moves.js'
import { BULK_MAX, BULK_MOVES, movable } from './bulk-moves.js'

interface BulkBarProps {
  /** The events of the list, in its order. */
  readonly markets: readonly ListedMarket[]
  readonly picked: Signal<ReadonlySet<string>>
}

/** The buttons for the events that are ticked; nothing while none is. */
export function BulkBar({ markets, picked }: BulkBarProps) {
  const move = useSignal<BulkMove | undefined>(undefined)
  const done = useSignal('')
  const chosen = markets.filter(({ event_id }) => picked.value.has(event_id))
  const all = markets.slice(0, BULK_MAX)
  const pickAll = () => {
    picked.value = new Set(all.map(({ event_id }) => event_id))
  }
  const end = (words: string) => {
    move.value = undefined
    done.value = words
  }
  return (
    <>
      <p class="gain done" role="status">
        {done.value}
      </p>
      {chosen.length > 0 && (
        <section class="bulk-bar" aria-label={list.bulkMoves.label}>
          <span>{list.bulkMoves.picked(chosen.length)}</span>
          {BULK_MOVES.map(name => {
            const count = movable(chosen, name).length
            return (
              count > 0 && (
                <button key={name} type="button" class="button button-small" onClick={() => begin(name)}>
                  {list.bulkMoves.verbs[name]} {countText(count)}
                </button>
              )
            )
          })}
          <button type="button" class="link-button" onClick={pickAll}>
            {list.bulkMoves.all(all.length)}
          </button>
          <button
            type="button"
            class="link-button"
            onClick={() => {
              picked.value = new Set()
            }}
          >
            {list.bulkMoves.none}
          </button>
        </section>
      )}
      {move.value !== undefined && (
        <BulkDialog move={move.value} markets={movable(chosen, move.value)} picked={picked} onEnd={end} />
      )}
    </>
  )

  function begin(name: BulkMove): void {
    done.value = ''
    move.value = name
  }
}
