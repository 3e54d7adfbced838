/** Resolves when the process is asked to end: Ctrl+C, a signal, or the end of its terminal. */
export function stopped(): Promise<void> {
  return new Promise(resolve => {
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => resolve())
  })
}
