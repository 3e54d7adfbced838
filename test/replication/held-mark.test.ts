import fs, { readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import t from 'tap'
import type { Sequence } from '../../src/core/units.js'
import { HeldMarkFile } from '../../src/replication/held-mark.js'
import { Sender } from '../../src/replication/line-sender.js'

const LOG = 'nats:raay'
const at = (sequence: number) => ({ log: LOG, sequence: sequence as Sequence })

t.test('a mark counts for one log only, and a torn one for none', t => {
  const directory = t.testdir({ 'raay.replicated': 'nats:raay 1' })
  const mark = new HeldMarkFile(join(directory, 'raay.db'))
  t.equal(mark.read(LOG), undefined)
  t.equal(mark.write(at(7)), true)
  t.same([mark.read(LOG), mark.read('nats:other')], [7, undefined])
  t.same(readdirSync(directory), ['raay.replicated'])
  t.end()
})

t.test('a full disk leaves the mark as it was, and ends nothing', { skip: noFullDevice() }, t => {
  const directory = t.testdir({})
  const mark = new HeldMarkFile(join(directory, 'raay.db'))
  mark.write(at(7))
  const next = join(directory, 'raay.replicated.new')
  symlinkSync('/dev/full', next)
  t.equal(mark.write(at(9)), false)
  t.equal(readFileSync(mark.path, 'utf8'), `${LOG} 7\n`)
  rmSync(next)
  t.equal(mark.write(at(9)), true)
  t.equal(mark.read(LOG), 9)
  t.end()
})

t.test('nor does a quota that is used up, or a disk that has become read-only', t => {
  const mark = new HeldMarkFile(join(t.testdir({}), 'raay.db'))
  mark.write(at(7))
  const { renameSync } = fs
  const replace = (rename: typeof renameSync) => {
    fs.renameSync = rename
    syncBuiltinESMExports()
  }
  t.teardown(() => replace(renameSync))
  for (const code of ['EDQUOT', 'EROFS']) {
    replace(() => {
      throw Object.assign(new Error(code), { code })
    })
    t.equal(mark.write(at(9)), false, code)
    t.equal(mark.read(LOG), 7)
  }
  replace(renameSync)
  t.equal(mark.write(at(9)), true)
  t.end()
})

t.test('a mark that the disk refused is written again', async t => {
  const written: number[] = []
  let isFull = true
  const parts = {
    name: LOG,
    mark: {
      write: ({ sequence }: { readonly sequence: number }) => {
        if (!isFull) written.push(sequence)
        return !isFull
      },
    },
    lease: { release: async () => undefined },
    log: { close: async () => undefined },
    journal: { close: () => undefined },
  } as unknown as ConstructorParameters<typeof Sender>[0]
  const sender = new Sender(parts, 7 as Sequence)
  isFull = false
  await sender.close()
  t.same(written, [7])
})

function noFullDevice(): string | false {
  return process.platform === 'linux' ? false : '/dev/full is of Linux'
}
