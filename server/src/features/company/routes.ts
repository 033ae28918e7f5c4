import { apiBase } from '@isotherm/contract/call.ts'
import type { company } from '@isotherm/contract/company.ts'
import { type CompanyRow, findCompany, presentCompany } from '../../core/company/company.ts'
import { type KeyState, stateOf } from '../../core/developer/find-key.ts'
import { listKeyRows } from '../../core/developer/key-queries.ts'
import type { Context } from '../../platform/context.ts'
import type { Before, Handlers } from '../../platform/http/serve.ts'
import { changeLogo, readLogoOf, removeLogo, storeLogo } from './logo.ts'
import { changeCompany, changeProfile } from './verbs.ts'

/** The state of the company's newest good key, or where none is good of its newest. */
async function keyState(ctx: Context): Promise<{ state: KeyState | 'none'; hint: string | null }> {
  const [newest] = await listKeyRows(ctx, ctx.clock.now())
  return newest ? { state: stateOf(newest, ctx.clock.now()), hint: newest.hint } : { state: 'none', hint: null }
}

const shown = (ctx: Context, row: CompanyRow) => presentCompany(row, ctx.clock.now())

export const companyHandlers: Handlers<typeof company> = {
  async changeProfile(ctx, { body: { version, registrationNumber, taxNumber, ...same } }) {
    const change = { ...same, registration_number: registrationNumber, tax_number: taxNumber }
    return shown(ctx, await changeProfile(ctx, change, version))
  },
  async changeChartSettings(ctx, { body }) {
    const change = { chart_type: body.chartType, map_type: body.mapType }
    return shown(ctx, await changeCompany(ctx, 'company.chartSettingsChanged', change))
  },
  async hideFirstSteps(ctx, { body: { hidden } }) {
    const change = { first_steps_hidden_at: hidden ? ctx.clock.now() : null }
    return shown(ctx, await changeCompany(ctx, 'company.firstStepsChanged', change))
  },
  async changePpecb(ctx, { body }) {
    const change = { ppecb: body === null ? null : JSON.stringify(body) }
    return shown(ctx, await changeCompany(ctx, 'company.ppecbChanged', change))
  },
  changeLogo: (ctx, { body }) => changeLogo(ctx, body.file, (row) => shown(ctx, row)),
  removeLogo: (ctx) => removeLogo(ctx, (row) => shown(ctx, row)),
  logo: (ctx, { params }) => readLogoOf(ctx, params.version),
  async businessApi(ctx) {
    const { publicUrl } = ctx.services.config
    return {
      company: shown(ctx, await findCompany(ctx.tx, ctx.companyId)),
      baseUrl: `${publicUrl}${apiBase}`,
      docsUrl: `${publicUrl}${apiBase}/docs`,
      key: await keyState(ctx),
    }
  },
}

/** Pictures are scanned, drawn anew and stored before the call's transaction: scanner, thread and bucket may take their time. */
export const beforeCompany: Before<typeof company> = {
  changeLogo: ({ body }, uploads, services) => storeLogo(body.file, uploads, services),
}
