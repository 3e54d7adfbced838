import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'
import { breakVerb } from '../fixtures/restore/break-verb.js'
import { fileVerbs } from '../fixtures/restore/file-verbs.js'

/**
 * Fails and kills backup, restore, import, archive and split at this many of their steps each, spread over all
 * of them; at every step if there are fewer. Returns true if each ended with the old or the new state.
 */
export async function proveFiles(steps: number, only: string, say: (line: string) => void): Promise<boolean> {
  const root = mkdtempSync(join(tmpdir(), 'raay-files-'))
  const endings: (() => unknown)[] = []
  let isWhole = true
  try {
    const t = { teardown: (end: () => unknown) => endings.push(end) } as unknown as Test
    for (const verb of await fileVerbs(t, root)) {
      if (!verb.name.includes(only)) continue
      const chosen = (step: number, all: number) => step % Math.ceil(all / steps) === 0
      const { steps: all, tried, ended, wrong } = await breakVerb(verb, join(root, verb.name), chosen)
      const found = `${ended.old} old, ${ended.new} new, ${wrong.length} wrong`
      say(`${verb.name}: ${all} steps, failed or killed ${tried} times: ${found}`)
      for (const what of wrong) say(`FAILED ${verb.name}, ${what}`)
      if (wrong.length > 0) isWhole = false
    }
    return isWhole
  } finally {
    for (const end of endings.reverse()) await end()
    rmSync(root, { recursive: true, force: true })
  }
}
