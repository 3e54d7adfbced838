/** Resolves when the process is asked to end: by Ctrl+C, a signal, or the end of its terminal. */
export function waitForSignal(): Promise<void> {
  return new Promise(resolve => {
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => resolve())
  })
}
