import type { Action, Module, PermissionMatrix } from '@isotherm/contract/permissions.ts'

/** Nobody can edit or export what they may not see, so those imply view, and without view they go. */
export function withAction(
  before: PermissionMatrix[Module],
  action: Action,
  allowed: boolean,
): PermissionMatrix[Module] {
  if (action === 'view' && !allowed) return { view: false, addOrEdit: false, export: false }
  return { ...before, [action]: allowed, view: before.view || allowed }
}
