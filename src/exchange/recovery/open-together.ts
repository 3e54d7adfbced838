interface Closable {
  close(): Promise<void>
}

/** Opens threads while running other work; closes all of them again if that work or one of them fails. */
export async function openTogether<A extends Closable, B extends Closable, T>(
  opening: readonly [Promise<A>, Promise<B>],
  meanwhile: () => T,
): Promise<[A, B, T]> {
  try {
    // A thread that fails during the work is reported by the `await` behind it.
    for (const each of opening) each.catch(() => {})
    const result = meanwhile()
    const [a, b] = await Promise.all(opening)
    return [a, b, result]
  } catch (error) {
    for (const each of await Promise.allSettled<Closable>(opening)) {
      if (each.status === 'fulfilled') await each.value.close()
    }
    throw error
  }
}
