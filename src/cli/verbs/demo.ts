import { start } from './start.js'

/** `raay demo`: `raay start --demo`. */
export function demo(argv: readonly string[]): Promise<void> {
  return start(['--demo', ...argv])
}
