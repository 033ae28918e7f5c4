import { containerAt, type EpcisEvent, identified, isReplaced, type Telling, timeOf } from './events.ts'
import type { Shipped, ShippedDevice } from './shipped.ts'
import { earlier, legAt } from './stretches.ts'

/** When the goods were stuffed, the first time, by the milestones that stand; null: nobody noted it. */
const stuffedAt = (shipped: Shipped): Date | null =>
  shipped.events
    .filter(({ kind, id }) => kind === 'stuffed' && !isReplaced(shipped, id))
    .map(({ occurredAt }) => occurredAt)
    .reduce<Date | null>((first, at) => (first ? earlier(first, at) : at), null)

/** When the goods were made ready for the way: with the start, or with an earlier stuffing. No device was put in before. */
export function readyAt(shipped: Shipped): Date | null {
  const { startedAt } = shipped
  const stuffed = stuffedAt(shipped)
  return startedAt && stuffed ? earlier(startedAt, stuffed) : (startedAt ?? stuffed)
}

/** When a device went into the goods: as it joined under way, else as they were stuffed, or with the start. */
function installedAt(shipped: Shipped, { joinedAt, leftAt }: ShippedDevice): Date | null {
  const at = joinedAt ?? stuffedAt(shipped) ?? shipped.startedAt
  // One that was taken off before the stuffing was there from the start.
  return at && leftAt && at >= leftAt ? readyAt(shipped) : at
}

/** The devices as they were with the goods: the end may have been told late, and nobody joins or leaves goods that have come. */
const devicesBeforeEnd = ({ devices, endedAt }: Shipped): readonly ShippedDevice[] =>
  endedAt === null
    ? devices
    : devices.flatMap((device) => {
        const { joinedAt, leftAt } = device
        if (joinedAt && joinedAt >= endedAt) return []
        return [leftAt && leftAt > endedAt ? { ...device, leftAt: null } : device]
      })

/** The events of devices: each is put into the goods, and one that was taken off under way leaves them. */
export function deviceEvents(telling: Telling): EpcisEvent[] {
  const { shipped, uris } = telling
  const { origin } = shipped
  return devicesBeforeEnd(shipped).flatMap((device): EpcisEvent[] => {
    const { id, sscc, joinedAt, leftAt } = device
    const at = installedAt(shipped, device)
    if (!at) return []
    const container = containerAt(telling, 'stuffed', joinedAt ? legAt(shipped, joinedAt) : undefined)
    const pair = {
      parentID: sscc ? uris.pallet(sscc) : (container ?? uris.shipment(shipped)),
      childEPCs: [uris.device(id)],
    }
    const zoneAt = (time: Date) => legAt(shipped, time)?.fromZone ?? origin.timezone
    return [
      identified(telling, ['installing', id], {
        ...{ type: 'AssociationEvent', ...timeOf(at, joinedAt ? zoneAt(joinedAt) : origin.timezone) },
        ...{ ...pair, action: 'ADD', bizStep: 'installing' },
        // Where a device joined under way nobody says.
        ...(joinedAt ? {} : { readPoint: { id: uris.place(origin) } }),
        'iso:place': device.place,
      }),
      ...(leftAt
        ? [
            identified(telling, ['removing', id], {
              ...{ type: 'AssociationEvent', ...timeOf(leftAt, zoneAt(leftAt)) },
              ...{ ...pair, action: 'DELETE', bizStep: 'removing' },
            }),
          ]
        : []),
    ]
  })
}
