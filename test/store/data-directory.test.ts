import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Test } from 'tap'
import t from 'tap'
import { openDatabase } from '../../src/store/database.js'
import { copyTo } from '../../src/store/files/backup-file.js'
import { DataDirectoryError, openDataDirectory } from '../../src/store/files/data-directory.js'
import { withAdvice } from '../../src/store/files/write-advice.js'
import { migrateTables } from '../../src/store/tables-schema.js'

const HOLDER = fileURLToPath(new URL('./lock-holder.js', import.meta.url))

/** Starts a process that opens the directory. Returns its first output: `locked`, or the reason. */
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

t.test('a missing directory is created, and holds the one file', async t => {
  const path = join(t.testdir(), 'deep', 'er')
  const directory = openDataDirectory(path)
  t.equal(directory.path, path)
  t.equal(directory.file, join(path, 'raay.db'))
  directory.release()
})

t.test('a directory can be used by one exchange at a time', async t => {
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

t.test('another process is refused while this one holds the directory', async t => {
  const path = t.testdir()
  const directory = openDataDirectory(path)
  t.match((await startHolder(t, path)).word, /is in use by another Raay process/)
  directory.release()
  t.equal((await startHolder(t, path)).word, 'locked')
})

t.test('the lock is released when its holder ends, even if killed', async t => {
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

t.test('an unusable directory is refused with the reason', async t => {
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

t.test('a read-only directory is refused', { skip: process.getuid?.() === 0 && 'root may' }, async t => {
  const path = t.testdir()
  chmodSync(path, 0o500)
  t.throws(() => openDataDirectory(path), DataDirectoryError)
})

/** Returns every path below a directory with its mode, as `raay.db 600`. */
function modesBelow(path: string): string[] {
  const names = readdirSync(path, { recursive: true, encoding: 'utf8' }).sort()
  return names.map(name => `${name} ${(statSync(join(path, name)).mode & 0o777).toString(8)}`)
}

t.test('only the owner may read new files, whatever the umask; the modes of existing ones stay', async t => {
  if (process.platform === 'win32') return t.comment('no modes here')
  const before = process.umask()
  t.teardown(() => process.umask(before))
  for (const umask of [0o000, 0o022, 0o277, 0o777]) {
    process.umask(0o022)
    const root = t.testdir()
    chmodSync(root, 0o755)
    process.umask(umask)
    const directory = openDataDirectory(join(root, 'deep', 'er'), 'demo')
    const database = openDatabase(directory.file)
    migrateTables(database)
    copyTo(directory.file, join(directory.path, 'backups', 'raay-1.db'))
    t.same(
      modesBelow(root),
      [
        'deep 700',
        'deep/er 700',
        'deep/er/backups 700',
        'deep/er/backups/raay-1.db 600',
        'deep/er/raay.db 600',
        'deep/er/raay.db-shm 600',
        'deep/er/raay.db-wal 600',
        'deep/er/raay.demo 600',
        'deep/er/raay.lock 600',
      ],
      `umask ${umask.toString(8)}`,
    )
    t.equal(statSync(root).mode & 0o777, 0o755)
    database.close()
    directory.release()
  }
  process.umask(0)
  const loose = t.testdir({ 'raay.db': '', 'raay.lock': '' })
  for (const name of ['', 'raay.db', 'raay.lock']) chmodSync(join(loose, name), name === '' ? 0o755 : 0o664)
  mkdirSync(join(loose, 'backups'), { mode: 0o750 })
  const directory = openDataDirectory(loose)
  const database = openDatabase(directory.file)
  migrateTables(database)
  copyTo(directory.file, join(loose, 'backups', 'raay-1.db'))
  database.close()
  directory.release()
  const modes = ['backups 750', 'backups/raay-1.db 600', 'raay.db 664', 'raay.lock 664']
  t.same(modesBelow(loose), modes)
})

t.test('errors of the system say what to do', t => {
  const rows = [
    [
      'ENOSPC: no space left on device, write',
      /^the disk is full, and nothing is lost: free some space .* write\)$/,
    ],
    ['database or disk is full', /^the disk is full/],
    [
      "EROFS: read-only file system, open '/data/raay.lock'",
      /^nothing can be written there: mount .* --data/,
    ],
    ["ENOENT: no such file or directory, mkdir '/ro/data'", /^nothing can be written there/],
    ['attempt to write a readonly database', /^nothing can be written there/],
    ["EACCES: permission denied, mkdir '/srv/raay'", /^give the user that runs Raay write access/],
    ['unable to open database file', /^give the user that runs Raay write access/],
    ["ENOENT: no such file or directory, open '/data/x'", /^ENOENT: no such file or directory, open/],
    [
      'the disk is full, and nothing is lost: free some space',
      /^the disk is full, and nothing is lost: free some space$/,
    ],
  ] as const
  for (const [message, said] of rows) t.match(withAdvice(new Error(message)), said, message)
  t.end()
})
