import { done } from '@isotherm/contract/common.ts'
import { metaOf } from '@isotherm/contract/paging.ts'
import type { users } from '@isotherm/contract/users.ts'
import type { Handlers } from '../../platform/http/serve.ts'
import { usersCsv } from './csv.ts'
import { presentUser } from './present.ts'
import { allUsers, listUsers } from './queries.ts'
import { changeRole, findRole, listRoles } from './roles.ts'
import { changeUser, inviteUser, inviteUserAgain, removeUser } from './verbs.ts'

export const userHandlers: Handlers<typeof users> = {
  async list(ctx, { query }) {
    const { rows, total } = await listUsers(ctx.tx, ctx.companyId, query)
    return { data: rows.map(presentUser), meta: metaOf(query, total) }
  },
  async exportCsv(ctx) {
    const team = await allUsers(ctx.tx, ctx.companyId)
    ctx.audit({ action: 'users.exported', after: { count: team.length } })
    return { body: usersCsv(team), filename: 'users.csv' }
  },
  invite: async (ctx, { body }) => presentUser(await inviteUser(ctx, body)),
  change: async (ctx, { params, body }) => presentUser(await changeUser(ctx, params.id, body)),
  async remove(ctx, { params }) {
    await removeUser(ctx, params.id)
    return done
  },
  async inviteAgain(ctx, { params }) {
    await inviteUserAgain(ctx, params.id)
    return done
  },
  roles: (ctx) => listRoles(ctx),
  role: (ctx, { params }) => findRole(ctx, params.role),
  changeRole: (ctx, { params, body }) => changeRole(ctx, params.role, body.modulePermissions),
}
