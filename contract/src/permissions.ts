import { z } from 'zod'

export const modules = ['devices', 'groups', 'alarms', 'reports', 'users', 'dispatch', 'payments'] as const
export const actions = ['view', 'addOrEdit', 'export'] as const
export const roles = ['admin', 'manager', 'staff'] as const

export type Module = (typeof modules)[number]
export type Action = (typeof actions)[number]
export type Permission = `${Module}.${Action}`

export const Role = z.enum(roles)
export type Role = z.infer<typeof Role>

const ModuleActions = z.strictObject({ view: z.boolean(), addOrEdit: z.boolean(), export: z.boolean() })

/** Module -> action -> allowed. Absence of a permission means denied. */
export const PermissionMatrix = z.strictObject({
  devices: ModuleActions,
  groups: ModuleActions,
  alarms: ModuleActions,
  reports: ModuleActions,
  users: ModuleActions,
  dispatch: ModuleActions,
  payments: ModuleActions,
})
export type PermissionMatrix = z.infer<typeof PermissionMatrix>

/** A matrix to be saved: who may not view a feature may neither edit nor export it. The message names the feature. */
export const NewPermissionMatrix = PermissionMatrix.superRefine((matrix, ctx) => {
  for (const module of modules) {
    const { view, addOrEdit, export: exports } = matrix[module]
    if (!view && (addOrEdit || exports)) ctx.addIssue({ code: 'custom', message: 'viewNeeded', path: [module, 'view'] })
  }
})

const matrixOf = (allows: (module: Module, action: Action) => boolean): PermissionMatrix =>
  Object.fromEntries(
    modules.map((module) => [module, Object.fromEntries(actions.map((action) => [action, allows(module, action)]))]),
  ) as PermissionMatrix

const restricted = (module: Module) => module === 'users' || module === 'payments'

/** The default permissions of each role, until an Admin changes them (DESIGN section 3). Admin stays as it is: it cannot be saved. */
export const defaultMatrix: Record<Role, PermissionMatrix> = {
  admin: matrixOf(() => true),
  manager: matrixOf((module, action) => !restricted(module) || action === 'view'),
  staff: matrixOf((module, action) => action === 'view' && !restricted(module)),
}

export const permissions = modules.flatMap((module) => actions.map((action): Permission => `${module}.${action}`))

/** The permission that no API key has: to invite, change and remove people, and to change roles. */
export const neverOfKeys: Permission = 'users.addOrEdit'

/** A matrix to be saved of an API key. */
export const NewKeyMatrix = NewPermissionMatrix.superRefine(({ users }, ctx) => {
  if (users.addOrEdit) ctx.addIssue({ code: 'custom', message: 'neverOfKeys', path: ['users', 'addOrEdit'] })
})

/** True only where the matrix says so. */
export function allows(matrix: PermissionMatrix | undefined, permission: Permission): boolean {
  const [module, action] = permission.split('.') as [Module, Action]
  return matrix?.[module]?.[action] === true
}
