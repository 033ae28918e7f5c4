import { z } from 'zod'
import { del, file, get, patch, post } from './call.ts'
import { Done, Email, Id, Instant, personalName, SeenVersion, Version } from './common.ts'
import { countedPageOf, Paging } from './paging.ts'
import { NewPermissionMatrix, PermissionMatrix, Role } from './permissions.ts'

export const User = z.object({
  id: Id,
  fullname: z.string(),
  email: z.string(),
  role: Role,
  phone: z.string().nullable(),
  /** Invited people have not set a password yet; unverified ones have not opened their mail. */
  status: z.enum(['active', 'invited', 'unverified']),
  /** When the latest invitation of somebody invited stops working; null for others. */
  invitationEndsAt: Instant.nullable(),
  lastLoginAt: Instant.nullable(),
  createdAt: Instant,
})
export type User = z.infer<typeof User>

export const Invite = z.strictObject({ fullname: personalName(120), email: Email, role: Role })
export const UserChange = z.strictObject({ fullname: personalName(120).optional(), role: Role.optional() })
const UserSort = z.enum(['fullname', '-fullname', 'email', '-email', 'role', '-role', 'lastLoginAt', '-lastLoginAt'])
export const UserQuery = Paging.extend({ sort: UserSort.default('fullname'), role: Role.optional() })
/** The people of a list, whatever the page. */
export const UserSelection = UserQuery.omit({ page: true, perPage: true })

export const RoleMatrix = z.object({ role: Role, modulePermissions: PermissionMatrix, version: Version })
export type RoleMatrix = z.infer<typeof RoleMatrix>

export const users = {
  list: get('/users', {
    needs: 'users.view',
    summary: 'The team, paged, with search by name or mail address',
    query: UserQuery,
    returns: countedPageOf(User),
  }),
  exportCsv: get('/users/export', {
    needs: 'users.export',
    summary: 'users.csv with name, email and user rights, of those whom the list would show',
    query: UserSelection,
    returns: file('text/csv'),
  }),
  invite: post('/users', {
    needs: 'users.addOrEdit',
    begins: 'users',
    limit: 'invite',
    summary: 'Adds a team member and mails the invitation',
    body: Invite,
    returns: User,
  }),
  change: patch('/users/:id', {
    needs: 'users.addOrEdit',
    summary: "Changes a team member's name or role",
    body: UserChange,
    returns: User,
  }),
  remove: del('/users/:id', {
    needs: 'users.addOrEdit',
    summary: 'Removes a team member: never the last Admin, never oneself',
    returns: Done,
  }),
  inviteAgain: post('/users/:id/invite', {
    needs: 'users.addOrEdit',
    limit: 'invite',
    summary: 'Mails the invitation again; earlier links stop working',
    returns: Done,
  }),
  roles: get('/roles', {
    needs: 'users.view',
    summary: 'The three roles with their permissions',
    returns: z.array(RoleMatrix),
  }),
  role: get('/roles/:role', { needs: 'users.view', summary: 'One role with its permissions', returns: RoleMatrix }),
  changeRole: patch('/roles/:role', {
    needs: 'users.addOrEdit',
    needsProof: true,
    summary: 'Saves the permissions of a role; Admin is read-only',
    body: z.strictObject({ modulePermissions: NewPermissionMatrix, version: SeenVersion }),
    returns: RoleMatrix,
  }),
}
