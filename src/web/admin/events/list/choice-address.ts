import type { EventChoice, EventGroup } from './event-choice.js'
import { GROUPS } from './event-choice.js'
import { COLUMNS } from './event-columns.js'

export const FIRST_CHOICE: EventChoice = {
  group: 'all',
  query: '',
  category: '',
  sort: '',
  isDescending: false,
}

/** Reads a choice from the query of an address; what is unknown counts as not given. */
export function choiceIn(search: string): EventChoice {
  const query = new URLSearchParams(search)
  const group = query.get('show') ?? ''
  const sort = query.get('sort') ?? ''
  return {
    group: Object.hasOwn(GROUPS, group) ? (group as EventGroup) : 'all',
    query: query.get('q') ?? '',
    category: query.get('category') ?? '',
    sort: COLUMNS.some(({ name }) => name === sort) ? sort : '',
    isDescending: query.get('order') === 'down',
  }
}

/** Writes a choice as the query of an address; empty for the first choice. */
export function addressOf({ group, query, category, sort, isDescending }: EventChoice): string {
  const given = {
    show: group === 'all' ? '' : group,
    q: query,
    category,
    sort,
    order: sort !== '' && isDescending ? 'down' : '',
  }
  const text = new URLSearchParams(Object.entries(given).filter(([, value]) => value !== '')).toString()
  return text === '' ? '' : `?${text}`
}
