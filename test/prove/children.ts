import type { ChildProcess } from 'node:child_process'
import { fork } from 'node:child_process'
import { availableParallelism } from 'node:os'
import type { Teardown } from '../fixtures/server/server-directory.js'

const CHILDREN_MAX = 2
/** Many times what the longest task takes on a busy machine: whatever takes longer hangs. */
const TASK_TIMEOUT_MS = 15 * 60_000
/** How long one that hangs has to end what it began. */
const END_TIMEOUT_MS = 10_000

/**
 * Hands tasks to child processes, one at a time to each, until there are no more, and reports their answers.
 * Rejects if a child dies or hangs; it names the task.
 */
export async function handOut<Task extends object, Answer>(
  entry: URL,
  take: () => Task | undefined,
  report: (answer: Answer, task: Task) => void,
): Promise<void> {
  const lead = async () => {
    const child = fork(entry)
    try {
      for (let task = take(); task !== undefined; task = take()) {
        child.send(task)
        report(await answerOf<Answer>(child, task), task)
      }
    } finally {
      if (child.connected) child.disconnect()
    }
  }
  const children = Math.min(CHILDREN_MAX, availableParallelism())
  await Promise.all(Array.from({ length: children }, lead))
}

function answerOf<Answer>(child: ChildProcess, task: object): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const fail = (what: string) => reject(new Error(`the process ${what} in ${JSON.stringify(task)}`))
    const died = () => {
      clearTimeout(timer)
      fail('died')
    }
    const timer = setTimeout(() => {
      child.off('exit', died)
      child.once('exit', () => fail('hung'))
      child.kill()
      setTimeout(() => child.kill('SIGKILL'), END_TIMEOUT_MS)
    }, TASK_TIMEOUT_MS)
    child.once('exit', died)
    child.once('message', message => {
      clearTimeout(timer)
      child.off('exit', died)
      resolve(message as Answer)
    })
  })
}

/** Answers the tasks that the parent process hands out; ends what each of them began, also if it is cut short. */
export function answerTasks<Task, Answer>(answer: (task: Task, t: Teardown) => Promise<Answer>): void {
  const ends: (() => unknown)[] = []
  const endAll = async () => {
    for (let end = ends.shift(); end !== undefined; end = ends.shift()) await end()
  }
  process.on('message', async (task: Task) => {
    const answered = await answer(task, { teardown: end => void ends.unshift(end) }).finally(endAll)
    process.send?.(answered)
  })
  const stop = () => endAll().finally(() => process.exit(1))
  process.on('SIGTERM', stop)
  process.on('disconnect', stop)
}
