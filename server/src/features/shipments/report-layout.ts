import type { Layout } from '../../reporting/layout.ts'
import { printLoading } from './loading-pages.ts'
import type { ShipmentContent } from './report-content.ts'
import { printJourney } from './report-pages.ts'
import { titleOf } from './report-words.ts'

/** A report of a shipment: its journey, or the loading data of its container. */
export const layout: Layout<ShipmentContent> = {
  pdf({ content }) {
    const title = titleOf(content)
    return {
      title,
      head: `${content.company} · ${title}`,
      sections: [
        { print: (paper) => (content.kind === 'ppecb' ? printLoading(paper, content) : printJourney(paper, content)) },
      ],
    }
  },
}
