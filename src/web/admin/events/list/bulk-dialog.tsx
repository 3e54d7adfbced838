import type { Signal } from '@preact/signals'
import { useSignal } from '@preact/signals'
import type { ListedMarket, Outcome } from '../../../../client/client.js'
import { ConfirmDialog } from '../../../forms/confirm-dialog.jsx'
import { countText } from '../../../kit/number-texts.js'
import { t } from '../../../texts/admin-events.js'
import { t as list } from '../../../texts/admin-list.js'
import { clients } from '../../admin-clients.js'
import { useOperatorAction } from '../../operator-action.js'
import type { BulkMove } from './bulk-moves.js'
import { moveAll } from './bulk-moves.js'

interface BulkDialogProps {
  readonly move: BulkMove
  /** Those to which the move applies. */
  readonly markets: readonly ListedMarket[]
  readonly picked: Signal<ReadonlySet<string>>
  /** Called with what was done; empty if nothing was. */
  readonly onEnd: (words: string) => void
}

/** Names the events that change and asks for confirmation; for results, each event needs its own. */
export function BulkDialog({ move, markets, picked, onEnd }: BulkDialogProps) {
  // The list goes on changing behind the dialog; what was asked for does not.
  const { value: asked } = useSignal(markets)
  const outcomes = useSignal<ReadonlyMap<string, Outcome>>(new Map())
  const done = useSignal(0)
  const { fault, isBusy, run } = useOperatorAction()
  const left = asked.slice(done.value)
  const isResolving = move === 'resolveMarket'
  const isChosen = !isResolving || left.every(({ event_id }) => outcomes.value.has(event_id))
  const go = () =>
    run(async () => {
      await moveAll({
        ...{ operator: clients.doing.operator, move, outcomes: outcomes.peek() },
        codes: left.map(({ event_id }) => event_id),
        onDone: code => {
          done.value++
          picked.value = new Set([...picked.peek()].filter(other => other !== code))
        },
      })
      onEnd(list.bulkMoves.done[move](asked.length))
    })
  const choose = (code: string, outcome: Outcome) => {
    outcomes.value = new Map([...outcomes.peek(), [code, outcome]])
  }
  const faultText =
    fault === undefined ? '' : list.bulkMoves.stopped(done.value, left[0]?.title ?? '', fault.words)
  return (
    <ConfirmDialog
      title={list.bulkMoves.titles[move](left.length)}
      {...(move !== 'resumeMarket' &&
        move !== 'haltMarket' && { understood: list.bulkMoves.understood[move] })}
      doIt={`${list.bulkMoves.verbs[move]} ${countText(left.length)}`}
      leaveIt={t.cancel}
      errorMessage={isChosen ? faultText : list.bulkMoves.chooseEach}
      isBusy={isBusy || !isChosen}
      onDo={go}
      onLeave={() => onEnd(done.value === 0 ? '' : list.bulkMoves.done[move](done.value))}
    >
      <ul class="bulk-list">
        {left.map(market => (
          <li key={market.event_id}>
            <span>{market.title}</span>
            {isResolving && <Results market={market} chosen={outcomes.value} onChoose={choose} />}
          </li>
        ))}
      </ul>
    </ConfirmDialog>
  )
}

interface ResultsProps {
  readonly market: ListedMarket
  readonly chosen: ReadonlyMap<string, Outcome>
  readonly onChoose: (code: string, outcome: Outcome) => void
}

function Results({ market: { event_id, title }, chosen, onChoose }: ResultsProps) {
  return (
    <fieldset class="chips">
      <legend class="unseen">{list.bulkMoves.resultOf(title)}</legend>
      {(['yes', 'no'] as const).map(outcome => (
        <button
          key={outcome}
          type="button"
          class="chip"
          aria-pressed={chosen.get(event_id) === outcome}
          onClick={() => onChoose(event_id, outcome)}
        >
          {t.outcome[outcome]}
        </button>
      ))}
    </fieldset>
  )
}
