import { ApiError } from '../../api/api-error.js'
import type { DoorReason } from '../../api/reasons.js'
import { REFUSAL_REASONS } from '../../api/reasons.js'
import { FULL } from '../../api/refusal-texts.js'
import type { SiteRefusal } from '../../site/site-context.js'
import { busy } from '../../doors/capacity-refusal.js'

/** Throws the answer to a write that the site refused; nothing was written. */
export function unlessRefused<Made>(made: Made | SiteRefusal): Exclude<Made, SiteRefusal> {
  if (!isRefusal(made)) return made as Exclude<Made, SiteRefusal>
  if (made === 'disk_low') throw busy(made)
  const [code] = REFUSAL_REASONS[made satisfies DoorReason]
  throw new ApiError(code, FULL[made], made)
}

function isRefusal(made: unknown): made is SiteRefusal {
  return typeof made === 'string'
}
