import './bundled-threads.js'
import { pathToFileURL } from 'node:url'
import t from 'tap'
import { LOADING } from './tap-tally.js'

/** Runs compiled test files in this process, one after the other; `RAAY_TEST_FILES` has their paths. */
const files = (process.env.RAAY_TEST_FILES ?? '').split('\n')
// What a test starts is no runner.
delete process.env.RAAY_TEST_FILES

for (const file of files) {
  // A test of its own: it begins when the last file's tests have ended, and tap sees that there is more to come.
  await t.test(LOADING, async () => {
    await import(pathToFileURL(file).href)
  })
}
