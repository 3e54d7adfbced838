import { useSignal } from '@preact/signals'
import type { EventGroup, GroupPosition } from '../../../client/shapes.js'
import { rupeesText } from '../../kit/number-texts.js'
import { t } from '../../texts/groups.js'
import { ReleaseDialog } from './release-dialog.jsx'
import { releaseOf } from './release.js'

interface StripProps {
  readonly group: EventGroup
  readonly position: GroupPosition
  readonly onDone: () => void
}

/** Offers the money that contracts pay whichever outcome wins. */
export function ReleaseStrip({ group, position, onDone }: StripProps) {
  const isAsking = useSignal(false)
  const done = useSignal('')
  const release = releaseOf(position, group.payout)
  const end = (words: string) => {
    isAsking.value = false
    done.value = words
    if (words !== '') onDone()
  }
  return (
    <>
      <p class="gain" role="status">
        {done.value}
      </p>
      {release !== undefined && (
        <section class="notice group-release" aria-label={t.releaseLabel}>
          <span>
            {release.outcomes.length === 0 ? t.holdsAll : t.holdsNo(release.outcomes.length)} {t.sameForAll}
          </span>
          <button
            type="button"
            class="button button-main"
            onClick={() => {
              done.value = ''
              isAsking.value = true
            }}
          >
            {t.release(rupeesText(release.each * release.quantity))}
          </button>
        </section>
      )}
      {isAsking.value && release !== undefined && (
        <ReleaseDialog group={group} release={release} onEnd={end} />
      )}
    </>
  )
}
