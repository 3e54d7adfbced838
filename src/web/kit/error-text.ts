import { t } from '../texts/kit.js'

/** Texts for failures that say nothing about the request, by HTTP status. */
const BY_STATUS: Readonly<Record<number, string>> = {
  401: t.notSignedIn,
  408: t.notResponding,
  429: t.busy,
  502: t.notResponding,
  503: t.busy,
  504: t.notResponding,
}

/** Reasons that say more than their status: trying again soon does not help, or it was done all the same. */
const BEFORE_STATUS: ReadonlySet<string | undefined> = new Set(['not_leader', 'not_replicated'])

/**
 * Returns the sentence to show for a failed request: a fixed text for its status, else one for its reason in
 * the reader's language, else the error's own; a few reasons come before the status.
 */
export function errorText(error: unknown): string {
  const { code, message, reason } = error as {
    readonly code?: number
    readonly message?: string
    readonly reason?: string
  }
  const byStatus = code === undefined || BEFORE_STATUS.has(reason) ? undefined : BY_STATUS[code]
  const known = byStatus ?? translatedReason(reason)
  const text = known ?? message ?? t.somethingWrong
  return /[.।…]$/.test(text) ? text : `${text}.`
}

/** Returns the sentence of a reason where the reader's language is not that of the API. */
export function translatedReason(reason: string | null | undefined): string | undefined {
  return typeof reason === 'string' && Object.hasOwn(t.reasons, reason) ? t.reasons[reason] : undefined
}
