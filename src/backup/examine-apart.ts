import { fileURLToPath } from 'node:url'
import { runLow } from '../verify/low-process.js'
import type { Examination } from './examination.js'

const ENTRY = fileURLToPath(new URL('./examine-process.js', import.meta.url))
const COMPLAINT_LENGTH_MAX = 500

/** Examines a copy as `examineCopy` does, in a process of its own. Rejects if that ends without a result. */
export async function examineApart(copy: string, signal: AbortSignal): Promise<Examination> {
  const { output, complaint } = await runLow(ENTRY, [copy], signal)
  try {
    return JSON.parse(output) as Examination
  } catch {
    throw new Error(complaint.slice(0, COMPLAINT_LENGTH_MAX) || 'the examination ended without a result')
  }
}
