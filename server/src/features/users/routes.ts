import type { users } from '@isotherm/contract/users.ts'
import { presentPage } from '../../platform/http/present-page.ts'
import type { Handlers } from '../../platform/http/serve.ts'
import { usersCsv } from './csv.ts'
import { presentUser } from './present.ts'
import { listUsers, userCounts, usersOf } from './queries.ts'
import { changeRole, findRole, listRoles } from './roles.ts'
import { changeUser, inviteUser, inviteUserAgain, removeUser } from './verbs.ts'

export const userHandlers: Handlers<typeof users> = {
  list: async (ctx, { query }) => ({
    ...presentPage(query, await listUsers(ctx.tx, ctx.companyId, query), presentUser),
    filterCounts: await userCounts(ctx.tx, ctx.companyId, query),
  }),
  async exportCsv(ctx, { query }) {
    const team = await usersOf(ctx.tx, ctx.companyId, query)
    ctx.audit({ action: 'users.exported', after: { count: team.length } })
    return { body: usersCsv(team), filename: 'users.csv' }
  },
  invite: async (ctx, { body }) => presentUser(await inviteUser(ctx, body)),
  change: async (ctx, { params, body }) => presentUser(await changeUser(ctx, params.id, body)),
  remove: (ctx, { params }) => removeUser(ctx, params.id),
  inviteAgain: (ctx, { params }) => inviteUserAgain(ctx, params.id),
  roles: (ctx) => listRoles(ctx),
  role: (ctx, { params }) => findRole(ctx, params.role),
  changeRole: (ctx, { params, body }) => changeRole(ctx, params.role, body.modulePermissions, body.version),
}
