import { openAll } from '../../shard/open-all.js'

interface Closable {
  close(): Promise<void>
}

/** Opens threads while running other work; closes all of them again if that work or one of them fails. */
export async function openTogether<A extends Closable, B extends Closable, T>(
  opening: readonly [Promise<A>, Promise<B>],
  meanwhile: () => T,
  undo: (result: T) => void = () => {},
): Promise<[A, B, T]> {
  const [first, second] = opening
  const opened = openAll([first, second])
  // A thread that fails during the work is reported by the `await` behind it.
  opened.catch(() => {})
  try {
    const result = meanwhile()
    return [
      ...(await opened.catch(error => {
        undo(result)
        throw error
      })),
      result,
    ]
  } catch (error) {
    for (const each of await opened.catch(() => [])) await each.close()
    throw error
  }
}
