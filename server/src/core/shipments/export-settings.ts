import { type ExportSettings, PortGln, Regime } from '@isotherm/contract/export-settings.ts'
import type { TenantTx } from '../../platform/context.ts'
import { firstRow } from '../../platform/db/rows.ts'
import { type SealedPlace, unseal } from '../../platform/secrets/seal.ts'

interface SettingsRow {
  gs1_prefix: string | null
  gln: string | null
  port_glns: unknown
  regimes: unknown
  allows_unverified: boolean
  flight_mode: boolean
  capture_url: string | null
  capture_header: string | null
  capture_secret: Buffer | null
  version: number
}

export interface KeptExportSettings extends ExportSettings {
  /** Sealed: `openCaptureSecret` opens it. */
  captureSecret: Buffer | null
  version: number
}

/** Version 0: nobody has changed anything. */
const defaults: KeptExportSettings = {
  ...{ gs1Prefix: null, gln: null, portGlns: [], regimes: [], allowsUnverified: false, flightMode: true },
  ...{ captureUrl: null, captureHeader: null, captureSecret: null, version: 0 },
}

/** How the company exports. */
export async function exportSettingsOf({ tx, companyId }: TenantTx): Promise<KeptExportSettings> {
  const row = await firstRow<SettingsRow>(tx)`select * from export_settings where company_id = ${companyId}`
  if (!row) return defaults
  return {
    gs1Prefix: row.gs1_prefix,
    gln: row.gln,
    portGlns: PortGln.array().parse(row.port_glns),
    regimes: Regime.array().parse(row.regimes),
    allowsUnverified: row.allows_unverified,
    flightMode: row.flight_mode,
    captureUrl: row.capture_url,
    captureHeader: row.capture_header,
    captureSecret: row.capture_secret,
    version: row.version,
  }
}

/** The row and column that a company's secret is sealed for. */
export const captureSecretPlace = (companyId: number): SealedPlace => ({
  ...{ column: 'export_settings.capture_secret', companyId, id: '1' },
})

/** The secret of the capture interface; null where there is none, or it cannot be opened any more. */
export const openCaptureSecret = (
  secret: Buffer,
  companyId: number,
  { captureSecret }: Pick<KeptExportSettings, 'captureSecret'>,
): string | null => captureSecret && unseal(secret, captureSecretPlace(companyId), captureSecret)
