import type { orderUploads, shipmentUploads } from '@isotherm/contract/bulk-uploads.ts'
import type { BulkKind } from '../../core/bulk/bulk-kind.ts'
import type { Before, Handlers } from '../../platform/http/serve.ts'
import { storedFile } from '../../platform/http/stored-file.ts'
import type { Job } from '../../platform/services.ts'
import { presentUpload } from './present.ts'
import type { UploadJob } from './read-upload.ts'
import { readUpload, requestUpload, storeUpload } from './request-upload.ts'
import { template } from './template.ts'

type UploadHandlers = Handlers<typeof shipmentUploads> & Handlers<typeof orderUploads>
type BeforeUploads = Before<typeof shipmentUploads> & Before<typeof orderUploads>

/** `job`: reads what was sent. */
export const bulkUploadHandlers = (kind: BulkKind, job: Job<UploadJob>): UploadHandlers => ({
  template: (ctx, { query }) => template(ctx, kind, query),
  upload: async (ctx, { query, body }) =>
    presentUpload(ctx, await requestUpload(ctx, kind, job, body, query.dryRun === 'true'), kind),
  one: async (ctx, { params }) => presentUpload(ctx, await readUpload(ctx, kind, params.id), kind),
  async marked(ctx, { params }) {
    const { marked_key: key, id } = await readUpload(ctx, kind, params.id)
    return storedFile(ctx.services.config, key, { filename: `${kind.name}-${id}.xlsx` })
  },
})

/** Files are scanned and stored before the call's transaction: scanner and bucket may take their time. */
export const beforeBulkUploads: BeforeUploads = {
  upload: ({ body }, uploads, services) => storeUpload(body.file, uploads, services),
}
