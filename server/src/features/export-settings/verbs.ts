import type {
  ExportSettings,
  ExportSettingsChange,
  PortGln,
  ShownExportSettings,
} from '@isotherm/contract/export-settings.ts'
import { findCompany } from '../../core/company/company.ts'
import { amongPorts, portsOf } from '../../core/ports/ports.ts'
import { draftNumber } from '../../core/shipments/draft-number.ts'
import { captureSecretPlace, exportSettingsOf, type KeptExportSettings } from '../../core/shipments/export-settings.ts'
import { gln } from '../../domain/identifiers.ts'
import { changesOf } from '../../platform/audit/changes.ts'
import type { Context, TenantTx } from '../../platform/context.ts'
import { AppError, invalidField } from '../../platform/errors/app-error.ts'
import { Faults } from '../../platform/errors/faults.ts'
import { addressFault } from '../../platform/messaging/webhook.ts'
import { seal } from '../../platform/secrets/seal.ts'
import { saveSettings } from './queries.ts'

/** Settings as they are shown: whether there is a secret, and never which. */
const shown = ({ captureSecret, ...settings }: KeptExportSettings): ShownExportSettings => ({
  ...settings,
  hasCaptureSecret: captureSecret !== null,
})

export const readSettings = async (ctx: TenantTx): Promise<ShownExportSettings> => shown(await exportSettingsOf(ctx))

/** Saves how the company exports. Throws CHANGED_MEANWHILE, or VALIDATION. */
export async function changeSettings(ctx: Context, input: ExportSettingsChange): Promise<ShownExportSettings> {
  const { version, captureSecret, portGlns, ...given } = input
  const before = await exportSettingsOf(ctx)
  const wanted = { ...checked(ctx, given), portGlns: portGlns ? await checkedPorts(ctx, portGlns) : before.portGlns }
  const secret = keptSecret(ctx, before, wanted, captureSecret)
  const company = await findCompany(ctx.tx, ctx.companyId)
  if (!(await saveSettings(ctx, wanted, secret, version)))
    throw new AppError('CHANGED_MEANWHILE', { name: company.name })
  const after = await readSettings(ctx)
  const changes = changesOf(facts(shown(before)), facts(after))
  const isNewSecret = typeof captureSecret === 'string'
  ctx.audit({
    action: 'exportSettings.changed',
    ...changes,
    ...(isNewSecret && { after: { ...changes.after, captureSecretChanged: true } }),
  })
  return after
}

/** The facts of settings in the audit trail: regimes by their codes. */
const facts = ({ version: _version, regimes, portGlns, ...rest }: ShownExportSettings) => ({
  ...rest,
  portGlns: portGlns.map(({ code, gln, glnUnchecked }) => `${code} ${gln}${glnUnchecked ? ' (!)' : ''}`),
  regimes: regimes.map(({ code, setPointC }) => (setPointC === null ? code : `${code} (${setPointC} °C)`)),
})

/** The settings in the form in which they are stored. Throws VALIDATION, at the field. */
function checked<T extends Omit<ExportSettings, 'portGlns'>>(ctx: Context, given: T): T {
  const number = given.gln === null ? null : gln(given.gln)
  if (number && 'fault' in number) throw glnFault(number)
  const fault = given.captureUrl && addressFault(given.captureUrl, ctx.services.config.webhookAllowPrivate)
  if (fault) throw invalidField('captureUrl', fault)
  const twice = given.regimes.findIndex(({ code }, i) => given.regimes.slice(0, i).some((each) => each.code === code))
  if (twice >= 0) throw invalidField(`regimes.${twice}.code`, 'rule.nameTaken')
  return { ...given, gln: number?.value ?? null }
}

const glnFault = ({ didYouMean: meant }: { didYouMean?: string }) =>
  meant ? invalidField('gln', 'rule.identifier.glnMeant', { meant }) : invalidField('gln', 'rule.identifier.gln')

/** The numbers of ports in the form in which they are stored, each port once. Throws VALIDATION with every fault. */
async function checkedPorts({ tx }: Context, given: readonly PortGln[]): Promise<PortGln[]> {
  const faults = new Faults()
  const find = amongPorts(
    await portsOf(
      tx,
      given.map(({ code }) => code),
    ),
  )
  const keys = given.map(({ type, code }) => `${type} ${code.toUpperCase()}`)
  const ports = given.map(({ type, code, gln: typed, glnUnchecked }, index) => {
    const path = `portGlns.${index}`
    const port = find(type, code)
    if (!port) faults.add(`${path}.code`, 'rule.unknownPort')
    if (keys.indexOf(keys[index] ?? '') < index) faults.add(`${path}.code`, 'rule.nameTaken')
    const number = { path: `${path}.gln`, name: 'gln', read: gln, isUnchecked: glnUnchecked }
    const { value, isUnchecked } = draftNumber(typed, number, faults)
    return { type, code: port?.code ?? code, name: port?.name ?? '', gln: value ?? '', glnUnchecked: isUnchecked }
  })
  faults.throwIfAny()
  return ports
}

/**
 * The secret from now on. One that is there goes to its own address and header alone: who names others gives it again, so that
 * nobody learns it by having it sent elsewhere. Throws VALIDATION.
 */
function keptSecret(
  ctx: Context,
  before: KeptExportSettings,
  { captureUrl, captureHeader }: ExportSettings,
  given: string | null | undefined,
): Buffer | null {
  if (given === null || captureUrl === null) return null
  if (given !== undefined) {
    if (captureHeader === null) throw invalidField('captureHeader', 'rule.headerNeeded')
    return seal(ctx.services.secret, captureSecretPlace(ctx.companyId), given)
  }
  const isSame = captureUrl === before.captureUrl && captureHeader === before.captureHeader
  if (before.captureSecret && !isSame) throw invalidField('captureSecret', 'rule.secretAgain')
  return before.captureSecret
}
