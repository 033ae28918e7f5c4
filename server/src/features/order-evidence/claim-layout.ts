import { translate } from '../../platform/i18n/i18n.ts'
import { claimData, claimFiles } from '../../reporting/claims/claim-files.ts'
import type { Layout } from '../../reporting/layout.ts'
import type { ClaimContent } from './claim-content.ts'
import { printClaim } from './claim-pages.ts'

/** A claim pack: its pages, and the data beside them. */
export const layout: Layout<ClaimContent> = {
  data(content) {
    const { order, custody, dwell, handOvers } = content
    return claimData(content, { id: order.id, trackingCode: order.trackingCode, custody, dwell, handOvers })
  },
  pdf({ content, digest }) {
    const title = translate(content.locale, 'orderEvidence:claim.title', { code: content.order.trackingCode })
    return {
      title,
      head: `${content.company} · ${title}`,
      sections: [{ print: (paper) => printClaim(paper, content, digest) }],
    }
  },
  files: claimFiles,
}
