import { Carriage, type NoticePeriods, type OrderCustody, type OrderDwell } from '@isotherm/contract/order-evidence.ts'
import type { OrderDetails } from '@isotherm/contract/orders.ts'
import type { DeviceReader } from '../../core/devices/device-reader.ts'
import { eventsOf } from '../../core/orders/events.ts'
import { insuranceOf } from '../../core/orders/insurance-queries.ts'
import { orderDetails } from '../../core/orders/present-order.ts'
import type { Context } from '../../platform/context.ts'
import { type FileKey, openFiles } from '../../platform/files/files.ts'
import { type ClaimParts, claimDevices } from '../../reporting/claims/claim-parts.ts'
import { headOf } from '../../reporting/report-head.ts'
import type { ClaimRow } from './claim-queries.ts'
import { custodyOfOrder } from './custody.ts'
import { dwellOfOrder } from './dwell.ts'
import { noticePeriods } from './notice.ts'
import { handOversOf } from './queries.ts'

export interface ClaimHandOver {
  receiver: string
  outcome: string
  signer: string
  at: number
  reservation: string | null
  /** Null where there was no hand-over: the devices reached the stop and left it. */
  sha256: string | null
  isVoid: boolean
}

/** Everything that a claim pack tells but the readings. Plain data: it goes to another process. */
export interface ClaimContent extends ClaimParts {
  order: OrderDetails
  custody: OrderCustody | null
  dwell: OrderDwell
  notice: NoticePeriods
  handOvers: ClaimHandOver[]
}

/** Stops that count as delivered because devices reached them and left: nobody signed for those. */
const settledByFence = ({ receiverList }: OrderDetails): ClaimHandOver[] =>
  receiverList.flatMap(({ party, state, settledAt, settledBy }) =>
    settledBy === 'geofence' && settledAt
      ? [
          {
            ...{ receiver: party.name, outcome: state, at: Date.parse(settledAt), reservation: null },
            ...{ signer: '', sha256: null, isVoid: false },
          },
        ]
      : [],
  )

/** Gathers a claim pack as the person sees the order now; throws NOT_FOUND. */
export async function gatherClaim(ctx: Context, reader: DeviceReader, row: ClaimRow): Promise<ClaimContent> {
  const head = await headOf(ctx, row)
  const orderId = row.order_id
  const order = await orderDetails(ctx, orderId)
  const custody = await custodyOfOrder(ctx, reader.excursions, orderId)
  const names = new Map(order.receiverList.map(({ id, party }) => [id, party.name]))
  const handOvers = await handOversOf(ctx, orderId)
  const insurance = await insuranceOf(ctx, orderId)
  const { placeOf } = openFiles(ctx.services.config)
  return {
    ...head,
    order,
    custody,
    dwell: await dwellOfOrder(ctx, orderId),
    notice: await noticePeriods(ctx, orderId, Carriage.parse(row.carriage)),
    devices: await claimDevices(ctx, reader, custody?.devices ?? [], head.period),
    stretches: (custody?.devices ?? []).flatMap(({ name: device, stretches }) =>
      stretches.map(({ holder, from, to, basis, outMs }) => ({
        ...{ device, holder: holder.kind, name: holder.name, from: Date.parse(from), to: Date.parse(to), basis, outMs },
      })),
    ),
    events: (await eventsOf(ctx, orderId)).map((event) => ({
      ...{ at: event.occurred_at.getTime(), recordedAt: event.recorded_at.getTime(), zone: event.occurred_zone },
      ...{ kind: event.kind, source: event.source, by: event.by_name },
      place: event.receiver_id === null ? null : (names.get(event.receiver_id) ?? null),
      detail: JSON.stringify(event.detail),
    })),
    handOvers: [
      ...handOvers.map((one) => ({
        ...{
          receiver: one.receiver,
          outcome: one.outcome,
          at: one.occurred_at.getTime(),
          reservation: one.reservation,
        },
        signer: [one.signer_name, one.signer_role].filter(Boolean).join(', '),
        ...{ sha256: one.content_sha256.toString('hex'), isVoid: one.void_at !== null },
      })),
      ...settledByFence(order),
    ],
    files: claimFiles(handOvers, insurance).map(({ name, key, sha256 }) => ({ name, path: placeOf(key), sha256 })),
  }
}

/** The keys of the files that a claim pack has in it. */
export const filesOfClaim = async (ctx: Context, { order_id: orderId }: ClaimRow): Promise<FileKey[]> =>
  claimFiles(await handOversOf(ctx, orderId), await insuranceOf(ctx, orderId)).map(({ key }) => key)

const claimFiles = (
  handOvers: Awaited<ReturnType<typeof handOversOf>>,
  insurance: Awaited<ReturnType<typeof insuranceOf>>,
) => {
  const kept = (name: string, key: FileKey, sha256: string) => ({ name, key, sha256 })
  return [
    ...handOvers.flatMap(({ signature_key: key, signature_sha256: sha256 }, index) =>
      key && sha256 ? [kept(`signatures/${index + 1}.${key.split('.').at(-1)}`, key, sha256.toString('hex'))] : [],
    ),
    ...handOvers.flatMap(({ photos }, index) =>
      photos.map(({ key, type, sha256 }, photo) => kept(`photos/${index + 1}-${photo + 1}.${type}`, key, sha256)),
    ),
    ...handOvers.flatMap(({ receipt_key: key, receipt_sha256: sha256 }, index) =>
      key && sha256 ? [kept(`receipts/${index + 1}.pdf`, key, sha256.toString('hex'))] : [],
    ),
    ...(insurance?.certificate_key && insurance.certificate_sha256
      ? [kept('insurance-certificate.pdf', insurance.certificate_key, insurance.certificate_sha256.toString('hex'))]
      : []),
  ]
}
