import type { ChildProcess } from 'node:child_process'
import { fork } from 'node:child_process'
import { once } from 'node:events'

/** Starts a client in a process of its own, and waits until it is ready. */
export async function sideProcess(
  path: URL,
  args: readonly string[],
  atEnd: (end: () => unknown) => void,
): Promise<ChildProcess> {
  const process = fork(path, args)
  atEnd(() => process.kill('SIGKILL'))
  await answerOf(process)
  return process
}

/** Tells a client to continue, and waits for its report. */
export async function reportOf<Report>(child: ChildProcess): Promise<Report> {
  child.send('go')
  return (await answerOf(child)) as Report
}

async function answerOf(child: ChildProcess): Promise<unknown> {
  const died = once(child, 'exit').then(([code]) => Promise.reject(new Error(`a client ended with ${code}`)))
  const [message] = await Promise.race([once(child, 'message'), died])
  died.catch(() => {})
  return message
}
