interface Closable {
  close(): Promise<void>
}

/** Waits for all that is being opened; if one fails, closes the others again and throws its error. */
export async function openAll<T extends readonly Promise<Closable>[] | []>(
  opening: T,
): Promise<{ -readonly [Key in keyof T]: Awaited<T[Key]> }> {
  const results = await Promise.allSettled<Closable>(opening)
  const failed = results.find(result => result.status === 'rejected')
  if (failed !== undefined) {
    for (const result of results) if (result.status === 'fulfilled') await result.value.close()
    throw failed.reason
  }
  return Promise.all(opening)
}
