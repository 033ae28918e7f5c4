import { createHmac } from 'node:crypto'
import type { Services } from '../../platform/services.ts'
import type { LinkRow } from './link-queries.ts'

/**
 * The token of a link: derived from the installation's secret, so that it can be shown again and the database holds no more than its hash.
 * A rotated link has another one.
 */
export const tokenOf = (
  secret: Buffer,
  companyId: number,
  link: Pick<LinkRow, 'id' | 'order_id' | 'generation'>,
): string =>
  createHmac('sha256', secret)
    .update(['order-link', companyId, link.order_id, link.id, link.generation].join(':'))
    .digest('base64url')

// Browsers send the part after the # to no server, so no proxy logs it.
const pages = { driver: 'drive', receiver: 'track' }

/** The address of a link's page. */
export const urlOf = (
  { config, secret }: Pick<Services, 'config' | 'secret'>,
  companyId: number,
  row: LinkRow,
): string => `${config.publicUrl}/${pages[row.kind as keyof typeof pages]}#${tokenOf(secret, companyId, row)}`
