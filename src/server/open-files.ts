import { readFileSync } from 'node:fs'

/** Returns the process's limit of open files, which includes connections; undefined if unknown. */
export function openFilesMax(): number | undefined {
  let limits: string
  try {
    limits = readFileSync('/proc/self/limits', 'utf8')
  } catch {
    return undefined
  }
  const soft = /^Max open files +(\S+)/m.exec(limits)?.[1]
  if (soft === undefined) return undefined
  return soft === 'unlimited' ? Number.POSITIVE_INFINITY : Number(soft)
}
