import type { ExportSettings } from '@isotherm/contract/export-settings.ts'
import type { Context } from '../../platform/context.ts'
import { firstRow } from '../../platform/db/rows.ts'

/** Saves settings that were changed from a version, with the sealed secret; false where they have another one by now. */
export async function saveSettings(
  { tx, companyId, clock }: Context,
  of: ExportSettings,
  secret: Buffer | null,
  version: number,
): Promise<boolean> {
  const saved = await firstRow(tx)`
    insert into export_settings (company_id, gs1_prefix, gln, port_glns, regimes, allows_unverified, flight_mode, capture_url,
      capture_header, capture_secret, updated_at)
    select ${companyId}::int4, ${of.gs1Prefix}, ${of.gln}, ${JSON.stringify(of.portGlns)}::jsonb,
      ${JSON.stringify(of.regimes)}::jsonb, ${of.allowsUnverified}::bool,
      ${of.flightMode}::bool, ${of.captureUrl}, ${of.captureHeader}, ${secret}::bytea, ${clock.now()}::timestamptz
    where ${version}::int4 = 0 or exists (select from export_settings where company_id = ${companyId})
    on conflict (company_id) do update set gs1_prefix = excluded.gs1_prefix, gln = excluded.gln,
      port_glns = excluded.port_glns, regimes = excluded.regimes, allows_unverified = excluded.allows_unverified, flight_mode = excluded.flight_mode,
      capture_url = excluded.capture_url, capture_header = excluded.capture_header,
      capture_secret = excluded.capture_secret, updated_at = excluded.updated_at, version = export_settings.version + 1
    where export_settings.version = ${version}::int4
    returning company_id`
  return saved !== undefined
}
