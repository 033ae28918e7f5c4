import type { DispatchSettings } from '@isotherm/contract/dispatch-settings.ts'
import { countryCurrency } from '../../domain/country-currency.ts'
import type { TenantTx } from '../../platform/context.ts'
import { firstRow } from '../../platform/db/rows.ts'
import type { CompanyRow } from '../company/company.ts'

interface SettingsRow {
  currency: string | null
  base_fee: string
  fee_per_km: string
  fee_per_kg: string
  fee_per_stop: string
  pre_cool_required: boolean
  ignore_minutes: number
  shows_driver_name: boolean
  fence_settles: boolean
  free_minutes: number
  carriage: string
  notice_days: number
  late_mail: string | null
  reminder_minutes: number | null
  escalate_minutes: number | null
  version: number
}

/** Version 0: nobody has changed anything. */
const defaults: KeptSettings = {
  ...{ currency: null, baseFee: 0, feePerKm: 0, feePerKg: 0, feePerStop: 0, preCoolRequired: false, ignoreMinutes: 10 },
  ...{
    showsDriverName: false,
    fenceSettles: true,
    freeMinutes: 60,
    carriage: 'cmr',
    noticeDays: 7,
    lateMail: null,
    reminderMinutes: null,
    escalateMinutes: null,
    version: 0,
  },
}

export interface KeptSettings extends DispatchSettings {
  version: number
}

/** How the company dispatches. */
export async function dispatchSettingsOf({ tx, companyId }: TenantTx): Promise<KeptSettings> {
  const row = await firstRow<SettingsRow>(tx)`select * from dispatch_settings where company_id = ${companyId}`
  if (!row) return defaults
  return {
    currency: row.currency,
    baseFee: Number(row.base_fee),
    feePerKm: Number(row.fee_per_km),
    feePerKg: Number(row.fee_per_kg),
    feePerStop: Number(row.fee_per_stop),
    preCoolRequired: row.pre_cool_required,
    ignoreMinutes: row.ignore_minutes,
    showsDriverName: row.shows_driver_name,
    fenceSettles: row.fence_settles,
    freeMinutes: row.free_minutes,
    carriage: row.carriage as DispatchSettings['carriage'],
    noticeDays: row.notice_days,
    lateMail: row.late_mail,
    reminderMinutes: row.reminder_minutes,
    escalateMinutes: row.escalate_minutes,
    version: row.version,
  }
}

/** The currency of new orders; null where neither the company's choice nor its country says it. */
export const currencyOf = (
  { currency }: Pick<DispatchSettings, 'currency'>,
  { country }: Pick<CompanyRow, 'country'>,
) => currency ?? (country === null ? null : countryCurrency(country))
