import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

/** Before the journal-first exchange, whose gain is measured against it. */
export const COMMIT_BEFORE = 'ea0f939'

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url))

/** A build of another commit, with our dependencies, so that only our own code differs. */
export interface OtherBuild {
  readonly commit: string
  /** Its bin/raay.js. */
  readonly bin: string
  /** Loads a compiled file of it, such as `test/bench/populate.js`; undefined if it has none. */
  load<Module>(file: string): Promise<Module | undefined>
  remove(): void
}

/** Builds a commit in a temporary git worktree. Without git, the commit or a clean build, says so instead. */
export function buildCommit(commit: string, say: (line: string) => void): OtherBuild | undefined {
  const directory = mkdtempSync(join(tmpdir(), `raay-${commit}-`))
  const git = (...args: string[]) => execFileSync('git', args, { cwd: ROOT, stdio: 'pipe' })
  const remove = () => {
    spawnSync('git', ['worktree', 'remove', '--force', directory], { cwd: ROOT, stdio: 'ignore' })
    rmSync(directory, { recursive: true, force: true })
  }
  try {
    git('worktree', 'add', '--detach', directory, `${commit}^{commit}`)
    symlinkSync(join(ROOT, 'node_modules'), join(directory, 'node_modules'))
    execFileSync('npm', ['run', '--silent', 'build'], { cwd: directory, stdio: 'pipe' })
  } catch (error) {
    remove()
    say(`without commit ${commit}, which cannot be built here: ${reasonOf(error)}\n`)
    return undefined
  }
  const load = <Module>(file: string) =>
    import(pathToFileURL(join(directory, 'dist', file)).href).catch(() => undefined) as Promise<Module>
  return { commit, bin: join(directory, 'bin/raay.js'), load, remove }
}

/** Returns the last line that the failed command wrote, or why it did not run. */
function reasonOf(error: unknown): string {
  const { stdout, stderr, message } = error as Error & { stdout?: Buffer; stderr?: Buffer }
  const lines = `${stdout ?? ''}\n${stderr ?? ''}`.trim().split('\n')
  return lines.at(-1) || message
}
