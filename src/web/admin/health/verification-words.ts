import type { Verification } from '../../../client/client.js'
import { t } from '../../texts/admin-health.js'
import { durationText } from './health-texts.js'

/** Says how a verification of the whole file ended: `in order, verified in 2.4 s.` */
export function verificationWords({ result, seconds, count, findings: [first = ''] }: Verification): string {
  if (result === 'ok') return t.fileInOrder(durationText(seconds * 1000))
  return result === 'failed' ? t.fileFailed(first) : t.fileBroken(count, first)
}
