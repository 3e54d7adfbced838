// Stands in for @napi-rs/nice, an addon that Piscina's workers lower their priority with. Linux has a priority
// for each thread, and there Node changes that of the calling one; elsewhere it would change the whole process.
import { getPriority, setPriority } from 'node:os'

export function nice(increment) {
  if (process.platform === 'linux') setPriority(Math.min(19, getPriority() + increment))
}
