import type { TestFile } from './test-process.js'

/**
 * The rooms whose tests share processes, each with the most files of one: a third to half of a file's time
 * alone is that of loading the same modules. In a long list no group runs on for long after the others.
 */
const SHARED = Object.entries({
  access: 14,
  backup: 14,
  browser: 4,
  cli: 7,
  client: 14,
  core: 14,
  demo: 14,
  docs: 14,
  engine: 14,
  exchange: 14,
  export: 14,
  follower: 14,
  http: 14,
  journeys: 5,
  server: 6,
  shard: 14,
  site: 14,
  store: 14,
  verify: 14,
  web: 14,
  ws: 14,
})

/** Files that change or measure their process. */
const ALONE: readonly string[] = ['test/backup/failing-files.test.ts', 'test/web/languages.test.ts']

/** Returns the files in groups, each for a process of its own; the groups of several are first. */
export function groupsOf(files: readonly TestFile[]): TestFile[][] {
  const shared: TestFile[][] = []
  const alone: TestFile[][] = []
  const open = new Map<string, TestFile[]>()
  for (const file of files) {
    const [room, filesMax = 1] = SHARED.find(([name]) => file.source.startsWith(`test/${name}/`)) ?? []
    if (room === undefined || ALONE.includes(file.source)) {
      alone.push([file])
      continue
    }
    const group = open.get(room)
    if (group !== undefined && group.length < filesMax) {
      group.push(file)
      continue
    }
    const begun = [file]
    shared.push(begun)
    open.set(room, begun)
  }
  return [...shared, ...alone]
}
