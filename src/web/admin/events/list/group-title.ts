import type { ListedMarket } from '../../../../client/client.js'
import { t } from '../../../texts/admin-groups.js'

/** Returns the title of the group that an event is an outcome of; undefined without one. */
export function groupTitleOf({
  group,
  label,
  title,
}: Pick<ListedMarket, 'group' | 'label' | 'title'>): string | undefined {
  if (group === undefined) return undefined
  const end = `: ${label}`
  // Titles of outcomes can be edited apart from their group's.
  return title.endsWith(end) ? title.slice(0, -end.length) : t.ofGroup(group)
}
