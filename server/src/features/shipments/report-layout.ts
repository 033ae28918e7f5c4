import { translate } from '../../platform/i18n/i18n.ts'
import type { Layout } from '../../reporting/layout.ts'
import { printLoading } from './loading-pages.ts'
import type { ShipmentContent } from './report-content.ts'
import { printJourney } from './report-pages.ts'

/** A report of a shipment: its journey, or the loading data of its container. */
export const layout: Layout<ShipmentContent> = {
  pdf({ content }) {
    const title = translate(content.locale, `shipments:report.title.${content.kind}`, {
      number: content.shipment.number,
    })
    return {
      title,
      head: `${content.company} · ${title}`,
      sections: [
        { print: (paper) => (content.kind === 'ppecb' ? printLoading(paper, content) : printJourney(paper, content)) },
      ],
    }
  },
}
