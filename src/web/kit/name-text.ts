import { NONE_LABEL } from '../../core/group.js'
import { t } from '../texts/kit.js'

const ENDING = `: ${NONE_LABEL}`

/** Translates “None of these”, as an outcome or at the end of its event's title; other names stay. */
export function nameText(name: string): string {
  if (name === NONE_LABEL) return t.noneOfThese
  return name.endsWith(ENDING) ? `${name.slice(0, -NONE_LABEL.length)}${t.noneOfThese}` : name
}
