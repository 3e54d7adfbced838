// The licences of other packages whose code is shipped.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Returns the licences of these installed packages as one text, and throws for one that has none. */
export function licenceTexts(root, names) {
  const texts = names.map(name => {
    const folder = join(root, 'node_modules', name)
    const file = readdirSync(folder).find(found => /^licen[cs]e(\.|$)/i.test(found))
    if (file === undefined) throw new Error(`${name} has no licence text`)
    return `${name}\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`
  })
  return texts.join('\n\n')
}
