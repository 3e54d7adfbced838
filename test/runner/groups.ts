import type { TestFile } from './test-process.js'

/**
 * The rooms whose tests share a process: half their time alone is that of loading the same modules. The
 * others start servers, browsers or programs, or replace parts of what they test.
 */
const SHARED = ['access', 'backup', 'client', 'core', 'docs', 'engine', 'exchange', 'export']
  .concat(['follower', 'http', 'shard', 'site', 'store', 'verify', 'web', 'ws'])
  .map(room => `test/${room}/`)

/** Files that change or measure the process itself. */
const ALONE: readonly string[] = ['test/web/languages.test.ts']

/** Short enough that the last group does not run for long after the others. */
const FILES_MAX = 8

/** Returns the files in groups, each for a process of its own. */
export function groupsOf(files: readonly TestFile[]): TestFile[][] {
  const groups: TestFile[][] = []
  const open = new Map<string, TestFile[]>()
  for (const file of files) {
    const room = ALONE.includes(file.source)
      ? undefined
      : SHARED.find(prefix => file.source.startsWith(prefix))
    const group = room === undefined ? undefined : open.get(room)
    if (group !== undefined && group.length < FILES_MAX) {
      group.push(file)
      continue
    }
    const begun = [file]
    groups.push(begun)
    if (room !== undefined) open.set(room, begun)
  }
  return groups
}
