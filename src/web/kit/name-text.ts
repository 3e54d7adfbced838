import { NONE_LABEL } from '../../core/group.js'
import { t } from '../texts/kit.js'

const ENDING = `: ${NONE_LABEL}`
/** An outcome of a group that asks has two signs after the question. */
const ASKING = '?: '

/** Writes a name as users read it: “None of these” in their language, and one sign after a question. */
export function nameText(name: string): string {
  if (name === NONE_LABEL) return t.noneOfThese
  const title = name.endsWith(ENDING) ? `${name.slice(0, -NONE_LABEL.length)}${t.noneOfThese}` : name
  return title.replace(ASKING, '? ')
}

/** Writes the title of an outcome with the outcome in front, for lines that may be cut off at the end. */
export function outcomeFirst(title: string): string {
  const at = title.indexOf(ASKING)
  return at < 0 ? nameText(title) : `${nameText(title.slice(at + ASKING.length))} · ${title.slice(0, at + 1)}`
}
