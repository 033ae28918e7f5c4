import { temperatureDecimals } from '@isotherm/contract/decimals.ts'
import type { FitWarning } from '@isotherm/contract/order-life.ts'
import { localDayOf } from '@isotherm/contract/zone-times.ts'
import { isSilent, lasts } from '../../domain/trip-warnings.ts'
import type { Context, TenantTx } from '../../platform/context.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { translate } from '../../platform/i18n/i18n.ts'
import type { ActContext } from './acts/act-context.ts'
import { type Condition, conditionsNow, deliveryZone } from './fitness-queries.ts'
import type { OrderRow } from './order-queries.ts'

const hourMs = 3_600_000

/** A reason not to start with, though it hinders nobody; `deviceId` of one device. */
export interface Warning {
  code: FitWarning
  deviceId: number | null
  /** Percent, degrees or a day, as text. */
  value: string | null
}

/** Hundredths of a degree that a device is beyond its limits; 0 within them, or where either is not known. */
function beyondCenti({ temperatureCenti: now, minCenti: min, maxCenti: max }: Condition): number {
  if (now === null) return 0
  if (max !== null && now > max) return now - max
  return min !== null && now < min ? min - now : 0
}

/** Never rounded to the limit that it is beyond. */
function degrees(centi: number | null): string {
  const celsius = (centi ?? 0) / 100
  return `${celsius.toFixed(temperatureDecimals(celsius))} °C`
}

function warningsOfDevice(device: Condition, hours: number): Warning[] {
  const about = (code: FitWarning, value: string | null = null): Warning => ({ code, deviceId: device.id, value })
  const isCargo = device.role === 'cargo'
  return [
    ...(isSilent(device.status) ? [about('silent')] : []),
    ...(lasts(device.batteryPct, device.batteryPerHour, hours) ? [] : [about('battery', `${device.batteryPct} %`)]),
    ...(isCargo && device.minCenti === null && device.maxCenti === null ? [about('noLimits')] : []),
    ...(beyondCenti(device) > 0 ? [about('notPreCooled', degrees(device.temperatureCenti))] : []),
  ]
}

/** All that speaks against starting an order at an instant, as far as it is known then. */
export async function warningsOf(
  ctx: TenantTx & Pick<Context, 'clock'>,
  order: OrderRow,
  driver: { licenceExpiresOn: string | null } | undefined,
  at: Date,
): Promise<{ warnings: Warning[]; devices: Condition[] }> {
  const devices = await conditionsNow(ctx, order.id)
  const hours = Math.max(0, order.deliver_by.getTime() - at.getTime()) / hourMs
  const expires = driver?.licenceExpiresOn ?? null
  const lastDay = localDayOf(order.deliver_by.getTime(), (await deliveryZone(ctx, order.id)) ?? order.pickup_zone)
  const about = (code: FitWarning, value: string | null = null): Warning => ({ code, deviceId: null, value })
  const warnings = [
    ...(devices.length === 0 ? [about('noDevices')] : []),
    ...(expires !== null && expires < lastDay ? [about('licence', expires)] : []),
    ...(order.deliver_by <= at ? [about('overdue')] : []),
    ...devices.flatMap((device) => warningsOfDevice(device, hours)),
  ]
  return { warnings, devices }
}

/** Throws PRE_COOL_NEEDED where a device is beyond its limits. */
export function refuseWarm(
  { locale, seesPrivate }: Pick<ActContext, 'locale' | 'seesPrivate'>,
  devices: readonly Condition[],
) {
  const warm = devices.filter((device) => beyondCenti(device) > 0)
  const named = warm.find(({ isPrivate }) => seesPrivate || !isPrivate)
  if (named) throw new AppError('PRE_COOL_NEEDED', { device: named.name, value: degrees(named.temperatureCenti) })
  if (warm.length > 0)
    throw new AppError('PRE_COOL_NEEDED', { device: translate(locale, 'orderLife:hiddenDevice'), value: '–' })
}
