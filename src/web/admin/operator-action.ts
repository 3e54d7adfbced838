import type { RaayError } from '../../client/client.js'
import type { Action } from '../forms/action.js'
import { useAction } from '../forms/action.js'
import type { FieldFault } from '../forms/field-faults.js'
import { faultOf } from '../forms/field-faults.js'
import { recordOutcome } from './admin-access.js'

/** Runs an operator action like `useAction`; a refusal may mean that the session has ended. */
export function useOperatorAction(
  fields: readonly string[] = [],
  faultIn: (error: RaayError) => FieldFault = error => faultOf(error, fields),
): Action {
  return useAction(fields, faultIn, recordOutcome)
}
