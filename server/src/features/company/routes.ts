import { apiBase } from '@isotherm/contract/call.ts'
import type { company } from '@isotherm/contract/company.ts'
import { findCompany, presentCompany } from '../../platform/auth/company.ts'
import type { Handlers } from '../../platform/http/serve.ts'
import { changeCompany, changeProfile } from './verbs.ts'

export const companyHandlers: Handlers<typeof company> = {
  changeProfile: (ctx, { body: { registrationNumber, taxNumber, ...same } }) =>
    changeProfile(ctx, { ...same, registration_number: registrationNumber, tax_number: taxNumber }),
  changeChartSettings: (ctx, { body }) =>
    changeCompany(ctx, 'company.chartSettingsChanged', { chart_type: body.chartType, map_type: body.mapType }),
  changePpecb: (ctx, { body }) =>
    changeCompany(ctx, 'company.ppecbChanged', { ppecb: body === null ? null : JSON.stringify(body) }),
  async businessApi(ctx) {
    const { publicUrl } = ctx.services.config
    return {
      company: presentCompany(await findCompany(ctx.tx, ctx.companyId), ctx.clock.now()),
      baseUrl: `${publicUrl}${apiBase}`,
      docsUrl: `${publicUrl}${apiBase}/docs`,
      // A company has no key until developer keys can be made.
      key: { state: 'none', hint: null },
    }
  },
}
