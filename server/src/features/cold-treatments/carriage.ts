import type { Treatment } from '@isotherm/contract/cold-treatments.ts'
import { type LegRow, legsOf } from '../../core/shipments/shipment-queries.ts'
import type { TenantTx } from '../../platform/context.ts'

/**
 * Where the goods of a shipment travel, as its legs tell: in containers and under seals that they name. A vessel that departed while no leg
 * names a container carries them in its hold.
 */
export function carriageOf(legs: readonly LegRow[]): Omit<Treatment['carriage'], 'isLoadingNoted' | 'isMixed'> {
  const standing = legs.filter(({ rolled_at }) => rolled_at === null)
  const containers = [...new Set(standing.flatMap(({ container_no }) => container_no ?? []))]
  return {
    containers,
    isSealed: standing.some(({ seal_no }) => seal_no !== null),
    isInHold: containers.length === 0 && standing.some(({ mode, atd }) => mode === 'sea' && atd !== null),
  }
}

export const carriageOfShipment = async (ctx: TenantTx, shipmentId: string) =>
  carriageOf(await legsOf(ctx, [shipmentId]))
