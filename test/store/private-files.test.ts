import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { writePrivateFile } from '../../src/store/files/private-files.js'
import { dataDirectory } from '../fixtures/server/server-directory.js'

const COMPILED = new URL('../../src/store/files/private-files.js', import.meta.url).href
const hasBash = spawnSync('bash', ['-c', 'true']).status === 0

t.test('a file of which only a part fits is an error', { skip: !hasBash && 'there is no bash' }, async t => {
  const file = join(dataDirectory(t), 'orphans.jsonl')
  const script = `import { writePrivateFile } from '${COMPILED}'
    writePrivateFile(${JSON.stringify(file)}, 'x'.repeat(1500))`
  // No file may be longer than 1,024 bytes: a first write takes only that part, as on a disk that is nearly full.
  const shell = 'ulimit -f 1; exec "$0" --input-type=module -e "$1"'
  const { status, stderr } = spawnSync('bash', ['-c', shell, process.execPath, script], { encoding: 'utf8' })
  t.match(stderr, /EFBIG/)
  t.equal(status, 1)
})

t.test('a shorter text replaces all of a longer one', async t => {
  const file = join(dataDirectory(t), 'note')
  writePrivateFile(file, 'a longer note, ₹10')
  writePrivateFile(file, 'short')
  t.equal(readFileSync(file, 'utf8'), 'short')
})
