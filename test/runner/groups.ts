import type { TestFile } from './test-process.js'

/**
 * The rooms whose tests share processes, each with the most files of one, and those with the longest files
 * first: a third to half of a file's time alone is that of loading the same modules, and what begins late
 * must end soon.
 */
const SHARED = Object.entries({
  browser: 6,
  journeys: 5,
  exchange: 14,
  cli: 7,
  server: 6,
  http: 14,
  docs: 14,
  store: 14,
  verify: 14,
  demo: 14,
  backup: 14,
  ws: 14,
  client: 14,
  export: 14,
  shard: 14,
  access: 14,
  core: 14,
  engine: 14,
  follower: 14,
  site: 14,
  web: 14,
})

/** Files that change or measure their process. A heap in which other files have left things is long to read. */
const ALONE: readonly string[] = [
  'test/exchange/memory.test.ts',
  'test/backup/failing-files.test.ts',
  'test/web/languages.test.ts',
]

/** Returns the files in groups, each for a process of its own, in the order in which they should begin. */
export function groupsOf(files: readonly TestFile[]): TestFile[][] {
  const alone: TestFile[][] = []
  const shared = new Map<string, TestFile[][]>(SHARED.map(([room]) => [room, []]))
  for (const file of files) {
    const [room = '', filesMax = 1] = SHARED.find(([name]) => file.source.startsWith(`test/${name}/`)) ?? []
    const groups = ALONE.includes(file.source) ? undefined : shared.get(room)
    const last = groups?.at(-1)
    if (groups === undefined) alone.push([file])
    else if (last === undefined || last.length >= filesMax) groups.push([file])
    else last.push(file)
  }
  // The longest files of all, the simulation's, are alone.
  return [...alone, ...[...shared.values()].flat()]
}
