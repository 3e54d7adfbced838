import type { Verification } from '../../../client/client.js'
import { durationText } from './health-texts.js'

/** Says how a verification of the whole file ended: `in order, verified in 2.4 s.` */
export function verificationWords({ result, seconds, count, findings: [first = ''] }: Verification): string {
  if (result === 'ok') return `in order, verified in ${durationText(seconds * 1000)}.`
  if (result === 'failed') return `the verification failed: ${first}`
  return `${count === 1 ? '1 fault' : `${count} faults`} found. Run raay verify. The first: ${first}`
}
