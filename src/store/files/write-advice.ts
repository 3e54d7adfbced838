/** The errors of systems and of SQLite that stop a start, each with what to do. */
const ADVICE: readonly (readonly [error: RegExp, advice: string])[] = [
  [
    /ENOSPC|^database or disk is full/,
    'the disk is full, and nothing is lost: free some space and start again',
  ],
  [
    /EROFS|readonly database|ENOENT.* mkdir /,
    'nothing can be written there: mount the file system writable, or choose another directory with --data',
  ],
  [
    /EACCES|EPERM|unable to open database file/,
    'give the user that runs Raay write access, or choose another directory with --data',
  ],
]

/** Returns the message of an error; where the system's own words are all it has, what to do about it. */
export function withAdvice(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  const advice = ADVICE.find(([known]) => known.test(message))?.[1]
  return advice === undefined ? message : `${advice} (${message})`
}
