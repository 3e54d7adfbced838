import { nearestOf } from '../api/did-you-mean.js'

/** What `parseArgs` said of a wrong flag, in one sentence, with the nearest of the flags that there are. */
export function wrongFlag(error: unknown, flags: readonly string[]): string {
  const reason = (error instanceof Error ? error.message.split('. ')[0] : undefined) ?? String(error)
  const written = /^Unknown option '--([^']{1,40})'/.exec(reason)?.[1]
  const nearest = written === undefined ? undefined : nearestOf(written, flags)
  return nearest === undefined ? reason : `${reason}, but there is --${nearest}`
}
