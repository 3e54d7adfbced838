import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { EventGroup } from '../../../client/client.js'
import { t } from '../../texts/admin-groups.js'
import { clients } from '../admin-clients.js'

/** Fetches the group of an event once; undefined until it is there, and without one. */
export function useGroupOf(code: string | undefined): EventGroup | undefined {
  const group = useSignal<EventGroup | undefined>(undefined)
  useEffect(() => {
    if (code === undefined) return
    clients.doing.groups.fetchGroup(code).then(
      found => {
        group.value = found
      },
      // The page of the group says what is wrong.
      () => {},
    )
  }, [code])
  return group.value
}

/** Says that an event is an outcome of a group, and leads there. */
export function EventGroupCard({
  code,
  group,
}: {
  readonly code: string
  readonly group: EventGroup | undefined
}) {
  return (
    <section class="card" aria-labelledby="event-group-title">
      <div class="card-head">
        <h2 id="event-group-title">{t.member.title}</h2>
      </div>
      <div class="card-body life-line">
        <p>
          <a href={`/admin/groups/${code}`}>{group?.title ?? t.ofGroup(code)}</a>
          {group !== undefined && <span class="soft"> · {t.member[group.kind]}</span>}
        </p>
      </div>
    </section>
  )
}
