import type { DispatchSettings } from '@isotherm/contract/dispatch-settings.ts'
import type { Context } from '../../platform/context.ts'
import { firstRow } from '../../platform/db/rows.ts'

/** Saves settings that were changed from a version; false where they have another one by now. */
export async function saveSettings(
  { tx, companyId, clock }: Context,
  of: DispatchSettings,
  version: number,
): Promise<boolean> {
  const saved = await firstRow(tx)`
    insert into dispatch_settings (company_id, currency, base_fee, fee_per_km, fee_per_kg, fee_per_stop, pre_cool_required,
      ignore_minutes, shows_driver_name, fence_settles, free_minutes, carriage, notice_days, late_mail, reminder_minutes, escalate_minutes, updated_at)
    select ${companyId}::int4, ${of.currency}, ${of.baseFee}::int8, ${of.feePerKm}::int8, ${of.feePerKg}::int8, ${of.feePerStop}::int8,
      ${of.preCoolRequired}::bool, ${of.ignoreMinutes}::int4, ${of.showsDriverName}::bool, ${of.fenceSettles}::bool, ${of.freeMinutes}::int4, ${of.carriage},
      ${of.noticeDays}::int4, ${of.lateMail}, ${of.reminderMinutes}::int4, ${of.escalateMinutes}::int4, ${clock.now()}::timestamptz
    where ${version}::int4 = 0 or exists (select from dispatch_settings where company_id = ${companyId})
    on conflict (company_id) do update set currency = excluded.currency, base_fee = excluded.base_fee,
      fee_per_km = excluded.fee_per_km, fee_per_kg = excluded.fee_per_kg, fee_per_stop = excluded.fee_per_stop,
      pre_cool_required = excluded.pre_cool_required, ignore_minutes = excluded.ignore_minutes,
      shows_driver_name = excluded.shows_driver_name, fence_settles = excluded.fence_settles, free_minutes = excluded.free_minutes, carriage = excluded.carriage,
      notice_days = excluded.notice_days, late_mail = excluded.late_mail, reminder_minutes = excluded.reminder_minutes,
      escalate_minutes = excluded.escalate_minutes, updated_at = excluded.updated_at,
      version = dispatch_settings.version + 1
    where dispatch_settings.version = ${version}::int4
    returning company_id`
  return saved !== undefined
}
