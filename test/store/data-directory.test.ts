import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Test } from 'tap'
import t from 'tap'
import { DataDirectoryError, openDataDirectory } from '../../src/store/data-directory.js'

const HOLDER = fileURLToPath(new URL('../fixtures/lock-holder.js', import.meta.url))

/** A process that asks for the directory; answers its first word: `locked`, or why not. */
async function startHolder(
  t: Test,
  directory: string,
): Promise<{ readonly child: ChildProcess; readonly word: string }> {
  const child = spawn(process.execPath, ['--expose-gc', HOLDER, directory], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  t.teardown(() => child.kill('SIGKILL'))
  const [word] = (await once(child.stdout, 'data')) as [Buffer]
  return { child, word: word.toString().trim() }
}

t.test('a directory that is missing is made, and holds the one file', async t => {
  const path = join(t.testdir(), 'deep', 'er')
  const directory = openDataDirectory(path)
  t.equal(directory.path, path)
  t.equal(directory.file, join(path, 'raay.db'))
  directory.release()
})

t.test('a directory is used by one exchange at a time', async t => {
  const path = t.testdir()
  const first = openDataDirectory(path)
  const advice = 'stop it, or choose another directory with --data'
  const message = `${path} is in use by another Raay process: ${advice}`
  t.throws(() => openDataDirectory(path), { name: 'DataDirectoryError', message })
  t.throws(() => openDataDirectory(join(path, '.', 'x', '..')), { message }, 'under another name too')
  first.release()
  const second = openDataDirectory(path)
  second.release()
})

t.test('another process is refused as long as this one has the directory', async t => {
  const path = t.testdir()
  const directory = openDataDirectory(path)
  t.match((await startHolder(t, path)).word, /is in use by another Raay process/)
  directory.release()
  t.equal((await startHolder(t, path)).word, 'locked')
})

t.test('the lock goes with its holder, also when that is killed', async t => {
  for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
    await t.test(signal, async t => {
      const path = t.testdir()
      const { child, word } = await startHolder(t, path)
      t.equal(word, 'locked')
      t.throws(() => openDataDirectory(path), { name: 'DataDirectoryError' })
      const exited = once(child, 'exit')
      child.kill(signal)
      t.same(await exited, [null, signal])
      openDataDirectory(path).release()
    })
  }
})

t.test('a directory that cannot be used is refused with the reason', async t => {
  const directory = t.testdir({ file: 'no directory' })
  t.throws(() => openDataDirectory(join(directory, 'file')), DataDirectoryError)
  t.throws(() => openDataDirectory(join(directory, 'file', 'below')), {
    name: 'DataDirectoryError',
    message: /cannot be used as data directory: ENOTDIR/,
  })
  writeFileSync(join(directory, 'raay.lock'), 'this is no lock, but a text of some length'.repeat(50))
  t.throws(() => openDataDirectory(directory), {
    name: 'DataDirectoryError',
    message: /cannot be used as data directory: file is not a database/,
  })
})

t.test(
  'a directory that may not be written to is refused',
  { skip: process.getuid?.() === 0 && 'root may' },
  async t => {
    const path = t.testdir()
    chmodSync(path, 0o500)
    t.throws(() => openDataDirectory(path), DataDirectoryError)
  },
)
