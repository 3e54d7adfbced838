import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import t from 'tap'

const DRIVER = fileURLToPath(new URL('../../src/store/driver.js', import.meta.url))
const INSTALLED = fileURLToPath(new URL('../../../node_modules/better-sqlite3', import.meta.url))

t.test('a driver behind a symlink is loaded after a pipe was looked at', async t => {
  // Outside the checkout, whose packages would be found from any folder in it.
  const folder = mkdtempSync(join(tmpdir(), 'raay-driver-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const modules = join(folder, 'node_modules')
  mkdirSync(modules)
  symlinkSync(INSTALLED, join(modules, 'better-sqlite3'))
  cpSync(DRIVER, join(folder, 'driver.js'))
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  writeFileSync(
    join(folder, 'main.js'),
    `import { fstatSync } from 'node:fs'
    import { createRequire } from 'node:module'
    createRequire(import.meta.url)('./package.json')
    if (!fstatSync(1).isFIFO() && !fstatSync(1).isSocket()) throw new Error('stdout is a file')
    const { Driver } = await import('./driver.js')
    console.log(new Driver(':memory:').pragma('user_version', { simple: true }))`,
  )
  const { stdout } = await promisify(execFile)(process.execPath, [join(folder, 'main.js')], { cwd: folder })
  t.equal(stdout, '0\n')
})
