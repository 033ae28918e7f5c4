import type { security } from '@isotherm/contract/security.ts'
import { findCompany } from '../../core/company/company.ts'
import { ownFactors } from '../../core/people/enrol.ts'
import { presentQuestion } from '../../core/people/passkey-question.ts'
import type { Context } from '../../platform/context.ts'
import type { Handlers } from '../../platform/http/serve.ts'
import { confirmCodes, removeCodes, renewRecoveryCodes, startCodes } from './codes.ts'
import { endOtherSessions, endOwnSession, ownSessions } from './own-sessions.ts'
import { addPasskey, removePasskey, renamePasskey, startPasskey } from './passkeys.ts'
import { endSessionsOfMember, findWithFactor, resetSecondFactor } from './people.ts'
import { presentBounds, presentOwn, presentPasskey, presentRules, presentSession } from './present.ts'
import { hasPassword, prove, startProof, waysToProve } from './proof.ts'
import { changeRules, findRules, type RulesWithPeople } from './rules.ts'

const shown = ({ services }: Context, { company, without }: RulesWithPeople) => ({
  ...presentRules(company),
  version: company.version,
  bounds: presentBounds(services.config.sessions),
  without,
})
const waysIn = async (ctx: Context) => ({ factors: await ownFactors(ctx), hasPassword: await hasPassword(ctx) })
const urlOf = ({ services }: Context) => services.config.publicUrl

export const securityHandlers: Handlers<typeof security> = {
  own: async (ctx) => presentOwn(await waysIn(ctx), await findCompany(ctx.tx, ctx.companyId), urlOf(ctx)),
  waysToProve: async (ctx) => ({ methods: await waysToProve(ctx) }),
  prove: (ctx, { body }) => prove(ctx, body),
  provePasskey: async (ctx) => presentQuestion(await startProof(ctx)),
  startCodes,
  confirmCodes: async (ctx, { body }) => ({ recoveryCodes: await confirmCodes(ctx, body.code) }),
  removeCodes,
  makeRecoveryCodes: async (ctx) => ({ recoveryCodes: await renewRecoveryCodes(ctx) }),
  startPasskey: async (ctx) => presentQuestion(await startPasskey(ctx)),
  async addPasskey(ctx, { body }) {
    const { passkey, recoveryCodes } = await addPasskey(ctx, body)
    return { passkey: presentPasskey(passkey, urlOf(ctx)), recoveryCodes }
  },
  renamePasskey: async (ctx, { params, body }) =>
    presentPasskey(await renamePasskey(ctx, params.id, body.name), urlOf(ctx)),
  removePasskey: (ctx, { params }) => removePasskey(ctx, params.id),
  async sessions(ctx) {
    const data = await ownSessions(ctx)
    return { data: data.map((row) => presentSession(row, ctx.session?.id)) }
  },
  endSession: (ctx, { params }) => endOwnSession(ctx, params.id),
  endOtherSessions,
  rules: async (ctx) => shown(ctx, await findRules(ctx)),
  changeRules: async (ctx, { body }) => shown(ctx, await changeRules(ctx, body)),
  peopleWithFactor: async (ctx) => ({ userIds: await findWithFactor(ctx) }),
  endSessionsOf: (ctx, { params }) => endSessionsOfMember(ctx, params.id),
  resetSecondFactor: (ctx, { params }) => resetSecondFactor(ctx, params.id),
}
