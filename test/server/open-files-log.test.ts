import t from 'tap'
import { OpenFilesLog } from '../../src/server/open-files-log.js'

t.test('files that run out are logged at once, then once a minute, and their end once', async t => {
  const lines: string[] = []
  const log = {
    warn: ({ code }: { code: string }, text: string) => lines.push(`${code} ${text.split(':')[0]}`),
    info: (text: string) => lines.push(text),
  } as never
  let code: string | undefined
  const watch = new OpenFilesLog(log, () => {
    if (code !== undefined) throw Object.assign(new Error(code), { code })
  })
  const look = (seconds: number) => {
    for (let second = 0; second < seconds; second++) watch.look()
    return lines.splice(0)
  }
  t.same(look(5), [])
  code = 'EMFILE'
  t.same(look(60), ['EMFILE no more files can be opened'])
  t.same(look(10), ['EMFILE no more files can be opened'])
  code = undefined
  t.same(look(3), ['files can be opened again'])
  code = 'ENFILE'
  t.same(look(30), [], 'within the minute nothing is repeated')
  t.same(look(60), ['ENFILE no more files can be opened'])
  code = 'EACCES'
  t.same(look(120), ['files can be opened again'], 'another failure says nothing about files')
})

t.test('a look opens a file of this system, and leaves none open', async t => {
  const watch = new OpenFilesLog({ warn: () => t.fail('it can be opened'), info: () => {} } as never)
  for (let looked = 0; looked < 5000; looked++) watch.look()
})
