import { claimData, claimFiles } from '../../reporting/claims/claim-files.ts'
import type { Layout } from '../../reporting/layout.ts'
import type { ClaimContent } from './claim-content.ts'
import { printClaim } from './claim-pages.ts'
import { titleOf } from './report-words.ts'

/** The claim pack of a shipment: its pages, and the data beside them. */
export const layout: Layout<ClaimContent> = {
  data(content) {
    const { shipment, custody, conditions } = content
    return claimData(content, { id: shipment.id, number: shipment.number, custody, conditions })
  },
  pdf({ content, digest }) {
    const title = titleOf(content)
    return {
      title,
      head: `${content.company} · ${title}`,
      sections: [{ print: (paper) => printClaim(paper, content, digest) }],
    }
  },
  files: claimFiles,
}
