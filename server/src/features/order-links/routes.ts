import type { orderLinks } from '@isotherm/contract/order-links.ts'
import { type ConditionSources, conditionsEnd, conditionsOf } from '../../core/orders/conditions.ts'
import { byOrderLink, findLink } from '../../core/orders/link-context.ts'
import { findOrder, findReceiver, lockOrder } from '../../core/orders/order-queries.ts'
import type { PublicContext } from '../../platform/context.ts'
import { Uploads } from '../../platform/files/uploads.ts'
import type { FailureLimit } from '../../platform/http/failure-limit.ts'
import { limitMisses } from '../../platform/http/limit-misses.ts'
import type { Before, Handlers } from '../../platform/http/serve.ts'
import { driveAct, driverOf, stopAt } from './drive-acts.ts'
import { agree, takePositions } from './drive-positions.ts'
import { giveGoods } from './give-goods.ts'
import { photoFile, receiptFile, shownHandOvers, signatureFile } from './hand-over-reads.ts'
import { endLink, readLink, renewLink } from './link-verbs.ts'
import { type Pictures, storedPictures, storePictures } from './pictures.ts'
import { readDrive } from './read-drive.ts'
import { type KeptPages, pageOf, readTrack, trackedLogo } from './read-track.ts'
import { askByLink, askForMails } from './receipt-mails.ts'

type PictureFiles = Parameters<typeof storedPictures>[0]

/** Stores the pictures of somebody who is not logged in; `work` begins the transaction. */
async function withStored<T>({ services }: PublicContext, files: PictureFiles, work: (stored: Pictures) => Promise<T>) {
  const uploads = new Uploads(services.config)
  return uploads.during(async () => {
    await storePictures(files, uploads, services)
    return work(storedPictures(files))
  })
}

/** Pictures are scanned and stored before the call's transaction: scanner and bucket may take their time. */
export const beforeOrderLinks: Before<typeof orderLinks> = {
  handOver: ({ body: { facts: _facts, ...files } }, uploads, services) => storePictures(files, uploads, services),
}

/** `misses` counts tokens that lead nowhere. */
export function orderLinkHandlers(sources: ConditionSources, misses: FailureLimit): Handlers<typeof orderLinks> {
  const counted = limitMisses(misses)
  const kept: KeptPages = new Map()
  return {
    receiverLink: (ctx, { params }) => readLink(ctx, params.id, params.receiverId),
    rotateReceiverLink: (ctx, { params }) => renewLink(ctx, params.id, params.receiverId),
    revokeReceiverLink: (ctx, { params }) => endLink(ctx, params.id, params.receiverId),
    driverLink: (ctx, { params }) => readLink(ctx, params.id, null),
    rotateDriverLink: (ctx, { params }) => renewLink(ctx, params.id, null),
    revokeDriverLink: (ctx, { params }) => endLink(ctx, params.id, null),
    async conditions(ctx, { params }) {
      const order = await findOrder(ctx, params.id)
      const receiver = await findReceiver(ctx, order.id, params.receiverId)
      const to = conditionsEnd(order, receiver, ctx.clock.now())
      return (await conditionsOf(ctx, sources, { order, receiver, to, hasChart: true }))?.shown ?? null
    },
    handOvers: (ctx, { params }) => shownHandOvers(ctx, params.id),
    async handOver(ctx, { params, body: { facts, ...files } }) {
      const pictures = storedPictures(files)
      const order = await lockOrder(ctx, params.id)
      const receiver = await findReceiver(ctx, order.id, params.receiverId)
      const by = { source: 'person' as const, name: ctx.person.fullname, userId: ctx.person.id }
      await giveGoods(ctx, sources, order, receiver, { facts, pictures, by })
    },
    receipt: (ctx, { params }) => receiptFile(ctx, params.id, params.receiverId),
    mailReceipt: (ctx, { params, body }) => askForMails(ctx, params, body),
    handOverFile: (ctx, { params }) => photoFile(ctx, params.id),
    signature: (ctx, { params }) => signatureFile(ctx, params.id),
    track: (ctx, { params: { token } }) =>
      counted(ctx, async () => (await readTrack(ctx, sources, kept, { token, isOpening: null })).page),
    readTrack: (ctx, { body }) =>
      counted(ctx, async () => {
        const { page, at } = await readTrack(ctx, sources, kept, body)
        return page.stamp === body.stamp ? { isUnchanged: true as const, againS: page.againS, at } : page
      }),
    trackLogo: (ctx, { body }) => counted(ctx, () => trackedLogo(ctx, body)),
    trackHandOver: (ctx, { body: { token, facts, ...files } }) =>
      counted(ctx, async () => {
        const found = await findLink(ctx, 'receiver', token)
        return withStored(ctx, files, (pictures) =>
          byOrderLink(ctx, found, { isWriting: true, token }, async (viewer, order) => {
            const receiver = await findReceiver(viewer, order.id, found.receiverId ?? '')
            const by = { source: 'receiverLink' as const, name: facts.signerName }
            await giveGoods(viewer, sources, order, receiver, { facts, pictures, by })
            return pageOf(viewer, sources, await findOrder(viewer, order.id), found)
          }),
        )
      }),
    trackReceipt: (ctx, { body }) => counted(ctx, () => askByLink(ctx, body)),
    drive: (ctx, { body }) => counted(ctx, () => readDrive(ctx, sources, body)),
    driveAct: (ctx, { body }) => counted(ctx, () => driveAct(ctx, body)),
    driveAgreement: (ctx, { body }) => counted(ctx, () => agree(ctx, body)),
    drivePositions: (ctx, { body }) => counted(ctx, () => takePositions(ctx, body)),
    driveHandOver: (ctx, { body: { token, stop, facts, ...files } }) =>
      counted(ctx, async () => {
        const found = await findLink(ctx, 'driver', token)
        await withStored(ctx, files, (pictures) =>
          byOrderLink(ctx, found, { isWriting: true, token }, async (viewer, order) => {
            const by = await driverOf(viewer, found)
            await giveGoods(viewer, sources, order, await stopAt(viewer, order, stop), { facts, pictures, by })
          }),
        )
      }),
  }
}
